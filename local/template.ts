import { arnOf, attributeOf, pseudoParameters, refOf } from './template-names.ts';

/** A CloudFormation template, as far as this engine reads it. */
export interface Template {
  Resources: Record<string, TemplateResource>;
  Parameters?: Record<string, { Default?: unknown }>;
  Conditions?: Record<string, unknown>;
  Mappings?: Record<string, Record<string, Record<string, unknown>>>;
}

export interface TemplateResource {
  Type: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, unknown>;
  Condition?: string;
}

/** A resource whose intrinsics are resolved. `P` is what the caller knows of the properties of this type. */
export interface Resource<P = Record<string, unknown>> {
  logicalId: string;
  type: string;
  arn: string;
  properties: P;
  metadata: Record<string, unknown>;
}

const NO_VALUE = Symbol('AWS::NoValue');

/** `https://<api id>.execute-api.<region>.amazonaws.com/<stage>` */
const INVOKE_URL = /https:\/\/\w+\.execute-api\.[\w-]+\.amazonaws\.com\/\w+/g;

/**
 * Stands in for CloudFormation: knows what every reference would be once the stack existed. Resolves a resource
 * when it is asked for, so that an intrinsic the engine does not know matters only where the engine needs it.
 */
export class ResolvedTemplate {
  /** @param apiUrl where the REST API is served: what its invoke URL is here */
  constructor(
    private readonly template: Template,
    private readonly apiUrl?: string,
  ) {}

  /** The resources of these types, in the order of the template. */
  resources<P = Record<string, unknown>>(...types: string[]): Resource<P>[] {
    return Object.entries(this.template.Resources)
      .filter(([, { Type, Condition }]) => types.includes(Type) && (!Condition || this.condition(Condition)))
      .map(([logicalId, { Type, Properties = {}, Metadata = {} }]) => ({
        logicalId,
        type: Type,
        arn: this.arn(logicalId),
        properties: this.resolve(Properties) as P,
        metadata: Metadata,
      }));
  }

  resolve(value: unknown): unknown {
    const resolved = this.resolveOrDrop(value);
    return resolved === NO_VALUE ? undefined : resolved;
  }

  private resolveOrDrop(value: unknown): unknown {
    if (Array.isArray(value)) {
      return value.map((item) => this.resolveOrDrop(item)).filter((item) => item !== NO_VALUE);
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
      return this.intrinsic(only[0], only[1]);
    }
    return Object.fromEntries(
      entries
        .map(([key, item]) => [key, this.resolveOrDrop(item)] as const)
        .filter(([, item]) => item !== NO_VALUE),
    );
  }

  private intrinsic(name: string, argument: unknown): unknown {
    // Fn::If must not resolve the branch that is not taken, and Fn::GetAtt and Fn::Sub have forms of their own.
    if (name === 'Ref') return this.ref(String(argument));
    if (name === 'Fn::GetAtt') return this.getAtt(argument);
    if (name === 'Fn::Sub') return this.sub(argument);
    if (name === 'Fn::If') {
      const [condition, yes, no] = argument as [string, unknown, unknown];
      return this.resolveOrDrop(this.condition(condition) ? yes : no);
    }
    const args = this.resolve(argument) as [never, unknown, never];
    switch (name) {
      case 'Fn::Join':
        return this.atHome((args[1] as unknown[]).join(args[0]));
      case 'Fn::Select':
        return (args[1] as unknown[])[Number(args[0])];
      case 'Fn::Split':
        return String(args[1]).split(args[0]);
      case 'Fn::FindInMap':
        return this.template.Mappings?.[args[0]]?.[args[1] as string]?.[args[2]];
      default:
        throw new Error(`The local engine does not know the CloudFormation intrinsic ${name}.`);
    }
  }

  /** A template spells the invoke URL out, with the id of the API in it. */
  private atHome(text: string): string {
    return this.apiUrl === undefined ? text : text.replace(INVOKE_URL, this.apiUrl);
  }

  private ref(name: string): unknown {
    if (name === 'AWS::NoValue') return NO_VALUE;
    const pseudo = pseudoParameters[name];
    if (pseudo !== undefined) return pseudo;
    const parameter = this.template.Parameters?.[name];
    if (parameter) return parameter.Default ?? '';
    return refOf(name, this.named(name), (value) => this.resolve(value));
  }

  private getAtt(argument: unknown): unknown {
    const [logicalId, ...attribute] = Array.isArray(argument) ? argument : String(argument).split('.');
    const name = attribute.join('.');
    if (name === 'StreamArn') return `${this.arn(logicalId)}/stream/local`;
    return name === 'Arn' ? this.arn(logicalId) : attributeOf(logicalId, this.named(logicalId), name);
  }

  private sub(argument: unknown): string {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return String(text).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in variables) return String(this.resolve(variables[name]));
      return String(name.includes('.') ? this.getAtt(name) : this.ref(name));
    });
  }

  private condition(name: string): boolean {
    const condition = this.template.Conditions?.[name];
    if (condition === undefined) throw new Error(`The template has no condition ${name}.`);
    return this.test(condition);
  }

  private test(condition: unknown): boolean {
    const [name, argument] = Object.entries(condition as object)[0] ?? [];
    switch (name) {
      case 'Condition':
        return this.condition(argument);
      case 'Fn::Equals':
        return String(this.resolve(argument[0])) === String(this.resolve(argument[1]));
      case 'Fn::And':
        return argument.every((part: unknown) => this.test(part));
      case 'Fn::Or':
        return argument.some((part: unknown) => this.test(part));
      case 'Fn::Not':
        return !this.test(argument[0]);
      default:
        throw new Error(`The local engine does not know the CloudFormation condition ${name}.`);
    }
  }

  private arn(logicalId: string): string {
    return arnOf(logicalId, this.named(logicalId), (value) => this.resolve(value));
  }

  private named(logicalId: string): TemplateResource {
    const resource = this.template.Resources[logicalId];
    if (!resource) throw new Error(`The template refers to ${logicalId}, which it does not define.`);
    return resource;
  }
}
