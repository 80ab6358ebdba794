import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Resource, ResolvedTemplate } from '../template.ts';
import { functionEnvironment } from './environment.ts';
import { LambdaFunction } from './function.ts';

interface FunctionProperties {
  Handler?: string;
  MemorySize?: number;
  Timeout?: number;
  Environment?: { Variables?: Record<string, string> };
}

export interface FunctionsOptions {
  template: ResolvedTemplate;
  /** What asset paths are relative to. */
  directory: string;
  awsEndpoint: string;
  log: (functionId: string, line: string) => void;
}

/** The functions of a template, by ARN. */
export class Functions {
  /** Also their access keys. */
  readonly logicalIds: string[] = [];
  private readonly byArn = new Map<string, LambdaFunction>();

  constructor(options: FunctionsOptions) {
    for (const resource of options.template.resources<FunctionProperties>('AWS::Lambda::Function')) {
      const made = makeFunction(resource, options);
      if (!made) continue;
      this.byArn.set(resource.arn, made);
      this.logicalIds.push(resource.logicalId);
    }
  }

  /** @param nameOrArn a function's name or ARN, with or without a version or alias. @throws a sentence if unknown */
  get(nameOrArn: string): LambdaFunction {
    for (const [arn, found] of this.byArn) {
      const name = arn.slice(arn.lastIndexOf(':') + 1);
      if (nameOrArn === name || nameOrArn === arn || nameOrArn.startsWith(`${arn}:`)) return found;
    }
    throw new Error(`There is no function ${nameOrArn} with a bundle that the local engine could run.`);
  }

  async close(): Promise<void> {
    await Promise.all([...this.byArn.values()].map((made) => made.close()));
  }
}

/** Undefined for what is not a Node.js bundle, such as the CDK's own helpers in other languages. */
const makeFunction = (
  { logicalId, arn, properties, metadata }: Resource<FunctionProperties>,
  { directory, awsEndpoint, log }: FunctionsOptions,
): LambdaFunction | undefined => {
  const { Handler = 'index.handler', MemorySize = 128, Timeout = 3, Environment } = properties;
  const asset = metadata['aws:asset:path'];
  const dot = Handler.lastIndexOf('.');
  const file = typeof asset === 'string' && bundleIn(resolve(directory, asset), Handler.slice(0, dot));
  if (!file) return undefined;
  const functionName = arn.slice(arn.lastIndexOf(':') + 1);
  return new LambdaFunction({
    timeoutMs: Timeout * 1000,
    data: {
      file,
      handler: Handler.slice(dot + 1),
      functionName,
      functionArn: arn,
      memoryLimitInMB: String(MemorySize),
    },
    env: functionEnvironment({
      logicalId,
      functionName,
      memorySize: MemorySize,
      awsEndpoint,
      variables: Environment?.Variables ?? {},
    }),
    log: (line) => log(logicalId, line),
  });
};

const bundleIn = (directory: string, module: string): string | undefined =>
  ['.mjs', '.js', '.cjs'].map((extension) => join(directory, module + extension)).find(existsSync);
