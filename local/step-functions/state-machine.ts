import type { Resource } from '../template.ts';
import { checkSupported, type Definition } from './definition.ts';
import { validate } from './interpreter.ts';
import { makePlan, type Plan } from './plan.ts';

interface StateMachineProperties {
  DefinitionString?: string;
  Definition?: Definition;
  DefinitionSubstitutions?: Record<string, unknown>;
  RoleArn?: string;
  StateMachineType?: string;
}

/** A state machine of the template, ready to run. */
export class StateMachine {
  readonly arn: string;
  readonly name: string;
  readonly type: string;
  readonly roleArn: string;
  readonly definition: string;
  readonly timeoutSeconds?: number;
  readonly plan: Plan;
  readonly creationDate = new Date();

  /** @throws a sentence if the definition is not valid, or needs what the engine does not have */
  constructor({ logicalId, arn, properties }: Resource<StateMachineProperties>, isChecked: boolean) {
    const {
      DefinitionString,
      Definition,
      DefinitionSubstitutions = {},
      RoleArn,
      StateMachineType,
    } = properties;
    if (!DefinitionString && !Definition) {
      throw new Error(`The local engine needs the definition of ${logicalId} in the template, not in S3.`);
    }
    this.arn = arn;
    this.name = arn.slice(arn.lastIndexOf(':') + 1);
    this.type = StateMachineType ?? 'STANDARD';
    this.roleArn = RoleArn ?? '';
    this.definition = substitute(DefinitionString ?? JSON.stringify(Definition), DefinitionSubstitutions);
    const definition = JSON.parse(this.definition) as Definition & { QueryLanguage?: string };
    if (definition.QueryLanguage === 'JSONata') {
      throw new Error(`The local engine cannot run ${logicalId}: it is written in JSONata.`);
    }
    checkSupported(logicalId, definition);
    try {
      if (!isChecked) validate(definition);
    } catch (error) {
      throw new Error(`${logicalId}: ${(error as Error).message}`, { cause: error });
    }
    this.timeoutSeconds = definition.TimeoutSeconds;
    this.plan = makePlan(definition);
  }
}

const substitute = (definition: string, values: Record<string, unknown>): string =>
  definition.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    name in values ? JSON.stringify(String(values[name])).slice(1, -1) : whole,
  );
