import { readFileSync } from 'node:fs';
import { awsRequest } from './aws-request.ts';

/** What a deployed stack tells about itself, by the names of its outputs. */
export type StackOutputs = Record<string, string>;

/** @throws a sentence if there is no such stack */
export const stackOutputs = async (stackName: string): Promise<StackOutputs> => {
  const xml = await awsRequest({
    service: 'cloudformation',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      Action: 'DescribeStacks',
      Version: '2010-05-15',
      StackName: stackName,
    }).toString(),
  });
  const outputs = [...xml.matchAll(/<OutputKey>([^<]*)<\/OutputKey>\s*<OutputValue>([^<]*)<\/OutputValue>/g)];
  return Object.fromEntries(outputs.map(([, key, value]) => [key!, unescape(value!)]));
};

/** What `cdk deploy --outputs-file` wrote. @throws a sentence if the file holds other stacks only */
export const outputsOfFile = (file: string, stackName: string): StackOutputs => {
  const stacks = JSON.parse(readFileSync(file, 'utf8')) as Record<string, StackOutputs>;
  const outputs = stacks[stackName];
  if (outputs === undefined) {
    throw new Error(`${file} has no stack ${stackName}; it has ${Object.keys(stacks).join(', ')}.`);
  }
  return outputs;
};

/** The output whose logical id starts so: the CDK puts a hash behind the id of what is not the stack's own. */
export const outputOf = (outputs: StackOutputs, name: string): string => {
  const key = Object.keys(outputs).find((key) => key === name || key.startsWith(name));
  if (key === undefined) throw new Error(`The stack has no output ${name}: is it one of this template?`);
  return outputs[key]!;
};

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescape = (xml: string): string => xml.replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '');
