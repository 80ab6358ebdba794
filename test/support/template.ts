import { readAssembly } from '../../local/synth.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a test reads the template as it is */
export interface State {
  Type: string;
  Next?: string;
  End?: boolean;
  Default?: string;
  Choices?: { Next: string; [member: string]: any }[];
  Catch?: { ErrorEquals: string[]; Next: string; ResultPath?: string | null }[];
  Branches?: Definition[];
  [member: string]: any;
}

export interface Definition {
  StartAt: string;
  States: Record<string, State>;
  TimeoutSeconds?: number;
}

export interface Resource {
  Type: string;
  Properties: Record<string, any>;
  [member: string]: any;
}

/** Intrinsic functions as text: `${LogicalId}`, `${LogicalId.Attribute}`, joins joined. */
export const asText = (value: any): string => {
  if (typeof value === 'string') return value;
  if (value?.Ref) return `\${${value.Ref}}`;
  if (value?.['Fn::GetAtt']) return `\${${value['Fn::GetAtt'].join('.')}}`;
  if (value?.['Fn::Join']) return value['Fn::Join'][1].map(asText).join(value['Fn::Join'][0]);
  if (value?.['Fn::Select']) return `${asText(value['Fn::Select'][1])}[${value['Fn::Select'][0]}]`;
  if (value?.['Fn::Split']) return asText(value['Fn::Split'][1]);
  throw new Error(`No text: ${JSON.stringify(value)}`);
};
/* eslint-enable @typescript-eslint/no-explicit-any */

/** A synthesised template, with what these tests look for in it. */
export const reading = (template: object) => {
  const { Resources: resources, Outputs: outputs } = template as {
    Resources: Record<string, Resource>;
    Outputs: Record<string, { Value: unknown }>;
  };
  const ofType = (type: string): [string, Resource][] =>
    Object.entries(resources).filter(([, { Type }]) => Type === type);
  const endpoint = ofType('AWS::Lambda::Function').find(([id]) => id.startsWith('Endpoint'))!;
  const stateMachines = JSON.parse(
    asText(endpoint[1].Properties['Environment'].Variables.STATE_MACHINES),
  ) as Record<string, string>;
  /** Logical id of a tool's state machine. */
  const stateMachineOf = (tool: string): string => stateMachines[tool]!.replace(/^\$\{(.*)\}$/, '$1');

  return {
    outputs,
    resources,
    ofType,
    endpoint,
    stateMachines,
    stateMachineOf,
    taskTable: ofType('AWS::DynamoDB::Table').find(([id]) => id.startsWith('Tasks'))![0],
    definition: (tool: string): Definition =>
      JSON.parse(asText(resources[stateMachineOf(tool)]!.Properties['DefinitionString'])),
  };
};

export type Synthesized = ReturnType<typeof reading>;

/** The stack as `bin/app.ts` made it for this test run. */
export const appTemplate = (): Synthesized => reading(readAssembly(process.env['TEST_ASSEMBLY']!).template);

/** Every state of a definition, those inside Parallel and Map states too. */
export const statesOf = ({ States }: Definition): [string, State][] =>
  Object.entries(States).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...[...(state.Branches ?? []), state['ItemProcessor'] ?? state['Iterator']]
      .filter((inner): inner is Definition => inner !== undefined)
      .flatMap(statesOf),
  ]);

/** Where a state may lead on the same level. */
export const nextOf = (state: State): string[] =>
  [
    state.Next,
    state.Default,
    ...(state.Choices ?? []).map(({ Next }) => Next),
    ...(state.Catch ?? []).map(({ Next }) => Next),
  ].filter((next) => next !== undefined);

/** Whether a state writes to DynamoDB by a service integration, waiting for a callback or not. */
export const isRecordWrite = ({ Resource: resource }: State): boolean =>
  typeof resource === 'string' && resource.includes(':aws-sdk:dynamodb:updateItem');
