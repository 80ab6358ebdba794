import { describe, expect, test } from '@jest/globals';
import { Pass } from 'aws-cdk-lib/aws-stepfunctions';
import * as z from 'zod';
import { defineTaskTool } from '../../lambdas/protocol/define-tool.ts';
import { synthWorkflow } from '../support/synth.ts';
import {
  appTemplate,
  isRecordWrite,
  nextOf,
  statesOf,
  type Definition,
  type State,
} from '../support/template.ts';

const CONDITION_LOST = 'DynamoDb.ConditionalCheckFailedException';

const app = appTemplate();
const plain = synthWorkflow(
  defineTaskTool({
    title: 'Plain',
    description: 'A tool without a state of the kit.',
    inputSchema: z.object({}),
    ttlMs: 60_000,
    pollIntervalMs: 500,
    asks: [],
  }),
  (kit) => new Pass(kit.scope, 'Think'),
);
const machines = [
  { tool: 'run_migration', definition: app.definition('run_migration'), taskTable: app.taskTable },
  { tool: 'countdown', definition: app.definition('countdown'), taskTable: app.taskTable },
  { tool: 'tool', ...plain },
];

const isClosingWrite = (state: State): boolean =>
  isRecordWrite(state) && ':status' in state['Parameters'].ExpressionAttributeValues;
const isEnd = ({ Type, End }: State): boolean => End === true || Type === 'Succeed' || Type === 'Fail';

/** Ends of the machine that can be reached without a write that closes the record. */
const endsThatCloseNothing = ({ StartAt, States }: Definition): string[] => {
  const seen = new Set<string>();
  const visit = (name: string): string[] => {
    if (seen.has(name) || isClosingWrite(States[name]!)) return [];
    seen.add(name);
    return [...(isEnd(States[name]!) ? [name] : []), ...nextOf(States[name]!).flatMap(visit)];
  };
  return visit(StartAt);
};

describe.each(machines)('$tool', ({ tool, definition, taskTable }) => {
  const states = definition.States;

  test('every write of a record holds only while the task works, so that the first end stays', () => {
    const writes = statesOf(definition).filter(([, state]) => isRecordWrite(state));

    expect(writes.length).toBeGreaterThanOrEqual(2);
    for (const [name, { Parameters }] of writes) {
      expect([name, Parameters.ConditionExpression]).toEqual([name, '#status = :working']);
      expect(Parameters.ExpressionAttributeValues[':working']).toEqual({ S: 'working' });
      expect(Parameters.TableName).toBe(`\${${taskTable}}`);
      expect(Parameters.Key).toEqual({ pk: { 'S.$': '$$.Execution.Input.task.key' } });
    }
  });

  test('the chain runs inside of one try', () => {
    expect(definition.StartAt).toBe(`Run ${tool}`);
    expect(states[`Run ${tool}`]).toMatchObject({ Type: 'Parallel' });
    expect(states[`Run ${tool}`]?.Branches).toHaveLength(1);
  });

  test('no way leads to an end past the write that closes the record', () => {
    expect(endsThatCloseNothing(definition)).toEqual([]);
  });

  test('completes with the result, and without questions and progress of before', () => {
    expect(states['Complete the task']).toMatchObject({
      Next: 'Task completed',
      Parameters: {
        UpdateExpression:
          'SET #status = :status, #result = :result, #inputs = :inputs, #lastUpdatedAt = :now REMOVE #statusMessage',
        ExpressionAttributeValues: {
          ':status': { S: 'completed' },
          ':result': { 'S.$': 'States.JsonToString($.result)' },
          ':inputs': { M: {} },
        },
      },
    });
  });

  test('fails with a JSON-RPC error and its message, and the execution fails too, for console and alarms', () => {
    expect(states['Fail the task']).toMatchObject({
      Next: 'Task failed',
      Parameters: {
        ExpressionAttributeValues: {
          ':status': { S: 'failed' },
          ':statusMessage': { 'S.$': '$.parsed.message' },
          ':error': { 'S.$': '$.error' },
          ':inputs': { M: {} },
        },
      },
    });
    expect(states['Task failed']).toMatchObject({
      Type: 'Fail',
      ErrorPath: '$.caught.Error',
      CausePath: '$.caught.Cause',
    });
  });

  test.each(['Complete the task', 'Fail the task'])('%s: an end that came first stands', (name) => {
    expect(states[name]?.Catch).toContainEqual({
      ErrorEquals: [CONDITION_LOST],
      ResultPath: null,
      Next: 'Task was closed meanwhile',
    });
    expect(states['Task was closed meanwhile']?.Type).toBe('Succeed');
  });

  test('a ToolError completes, a ProtocolError fails, anything else fails in neutral words', () => {
    const caught = Object.fromEntries(
      states[`Run ${tool}`]!.Catch!.flatMap(({ ErrorEquals, Next }) =>
        ErrorEquals.map((error) => [error, Next]),
      ),
    );

    expect(caught).toMatchObject({
      ToolError: 'Is the tool error a step’s?',
      ProtocolError: 'Is the protocol error a step’s?',
      'States.ALL': 'Word the failure',
    });
    expect(states[`Run ${tool}`]!.Catch!.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
    expect(states['Word the tool error']).toMatchObject({
      Parameters: { result: { resultType: 'complete', isError: true } },
      Next: 'Complete the task',
    });
    const { error, parsed } = states['Word the failure']!['Parameters'];
    expect(JSON.parse(error)).toEqual({ code: -32603, message: parsed.message });
    expect(states['Word the failure']?.Next).toBe('Fail the task');
  });

  test('a cause that is no report of a Lambda is taken as it is, not parsed', () => {
    for (const [choice, otherwise] of [
      ['Is the tool error a step’s?', 'Take the cause as the message'],
      ['Is the protocol error a step’s?', 'Word the failure'],
    ] as const) {
      expect(states[choice]?.Default).toBe(otherwise);
      expect(JSON.stringify(states[choice]?.Choices)).toContain(
        String.raw`"StringMatches":"*\"errorMessage\":*"`,
      );
    }
  });

  test('an error without a cause is told in neutral words', () => {
    expect(states['Is the tool error a step’s?']?.Choices?.[0]).toEqual({
      Variable: '$.Cause',
      IsPresent: false,
      Next: 'Word the failure',
    });
  });

  test('a result that DynamoDB refuses does not leave the task working', () => {
    expect(states['Complete the task']?.Catch?.at(-1)).toMatchObject({
      ErrorEquals: ['States.ALL'],
      Next: 'Word the failure',
    });
  });
});

describe('what a task costs in state transitions', () => {
  /** States entered on the way from start to end, taking these turns at choices. */
  const transitions = ({ StartAt, States }: Definition, turns: string[]): number => {
    let count = 0;
    for (let name: string | undefined = StartAt; name !== undefined;) {
      const state: State = States[name]!;
      count += 1;
      if (state.Branches) count += transitions(state.Branches[0]!, turns);
      name = state.Type === 'Choice' ? nextOf(state).find((next) => turns.includes(next)) : state.Next;
    }
    return count;
  };

  test('countdown: at most 6', () => {
    expect(transitions(app.definition('countdown'), [])).toBeLessThanOrEqual(6);
  });

  test('run_migration that finds nothing to do: at most 14', () => {
    const turns = ['Report that there is nothing to do'];

    expect(transitions(app.definition('run_migration'), turns)).toBeLessThanOrEqual(14);
  });
});
