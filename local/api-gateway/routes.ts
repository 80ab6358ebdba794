import type { MockIntegration } from './mock.ts';
import type { ResolvedTemplate } from '../template.ts';
import { rootResourceId } from '../template-names.ts';

interface MethodProperties {
  RestApiId: string;
  ResourceId: string;
  HttpMethod: string;
  AuthorizationType?: string;
  AuthorizerId?: string;
  Integration?: {
    Type?: string;
    Uri?: string;
    ResponseTransferMode?: string;
    IntegrationResponses?: {
      StatusCode: string;
      ResponseParameters?: Record<string, string>;
      ResponseTemplates?: Record<string, string>;
    }[];
  };
}

interface ResourceProperties {
  RestApiId: string;
  ParentId: string;
  PathPart: string;
}

/** A method of a REST API, as far as it is needed to serve it. */
export interface ApiMethod {
  apiId: string;
  stage: string;
  /** As in the template: `/tasks/{id}`. */
  resource: string;
  /** A method, or `ANY`. */
  httpMethod: string;
  authorizationType: string;
  authorizerId?: string;
  integration: Integration;
}

export type Integration =
  /** AWS_PROXY. A streaming one hands the body on as it comes. */
  | { type: 'lambda'; functionArn: string; streaming: boolean }
  /** MOCK: an answer that is written in the template. */
  | MockIntegration;

export interface Match {
  method: ApiMethod;
  pathParameters: Record<string, string> | null;
}

/** Finds the method of a template's REST APIs that serves a request. */
export class Routes {
  private readonly methods: (ApiMethod & { pattern: RegExp; specificity: string })[];

  constructor(template: ResolvedTemplate) {
    const paths = resourcePaths(template);
    const stages = template.resources<{ RestApiId: string; StageName: string }>('AWS::ApiGateway::Stage');
    this.methods = template
      .resources<MethodProperties>('AWS::ApiGateway::Method')
      .map(({ properties }) => {
        const resource = paths.get(properties.ResourceId) ?? '/';
        const stage = stages.find((one) => one.properties.RestApiId === properties.RestApiId);
        return {
          apiId: properties.RestApiId,
          stage: stage?.properties.StageName ?? 'prod',
          resource,
          httpMethod: properties.HttpMethod,
          authorizationType: properties.AuthorizationType ?? 'NONE',
          authorizerId: properties.AuthorizerId,
          integration: integrationOf(resource, properties),
          pattern: patternOf(resource),
          // Sorts a literal segment before a parameter, and that before a greedy one.
          specificity: resource.replace(/\{[^}]*\+\}/g, '\uffff').replace(/\{[^}]*\}/g, '\ufffe'),
        };
      })
      .sort((a, b) => (a.specificity < b.specificity ? -1 : a.specificity > b.specificity ? 1 : 0));
  }

  /** @param path without query and without the stage */
  find(httpMethod: string, path: string): Match | undefined {
    const onPath = this.methods.filter(({ pattern }) => pattern.test(path));
    const method =
      onPath.find((one) => one.httpMethod === httpMethod) ?? onPath.find((one) => one.httpMethod === 'ANY');
    const groups = method?.pattern.exec(path)?.groups;
    return method && { method, pathParameters: groups ? decode(groups) : null };
  }
}

const resourcePaths = (template: ResolvedTemplate): Map<string, string> => {
  const resources = new Map(
    template
      .resources<ResourceProperties>('AWS::ApiGateway::Resource')
      .map(({ logicalId, properties }) => [logicalId, properties]),
  );
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  const paths = new Map([...resources.keys()].map((id) => [id, pathOf(id)]));
  for (const { logicalId } of template.resources('AWS::ApiGateway::RestApi')) {
    paths.set(rootResourceId(logicalId), '/');
  }
  return paths;
};

const integrationOf = (resource: string, { HttpMethod, Integration }: MethodProperties): Integration => {
  const { Type, Uri = '', ResponseTransferMode, IntegrationResponses } = Integration ?? {};
  const [, functionArn, action] =
    /functions\/(.+)\/(invocations|response-streaming-invocations)$/.exec(Uri) ?? [];
  if (Type === 'AWS_PROXY' && functionArn) {
    const streaming = ResponseTransferMode === 'STREAM' || action === 'response-streaming-invocations';
    return { type: 'lambda', functionArn, streaming };
  }
  const [response] = IntegrationResponses ?? [];
  if (Type === 'MOCK' && response) {
    return {
      type: 'mock',
      status: Number(response.StatusCode),
      parameters: response.ResponseParameters ?? {},
      template: response.ResponseTemplates?.['application/json'] ?? '',
    };
  }
  throw new Error(
    `The local engine serves Lambda proxy and MOCK integrations; ${HttpMethod} ${resource} has ${Type} ${Uri}.`,
  );
};

const patternOf = (resource: string): RegExp => {
  const segments = resource.split('/').map((segment) => {
    const [, name, greedy] = /^\{(.+?)(\+?)\}$/.exec(segment) ?? [];
    if (name) return `(?<${name}>${greedy ? '.+' : '[^/]+'})`;
    return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
};

const decode = (groups: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(groups).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
