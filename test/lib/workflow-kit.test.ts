import { describe, expect, test } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { Choice, Condition, Map as MapState, Pass, Succeed } from 'aws-cdk-lib/aws-stepfunctions';
import * as z from 'zod';
import { defineTaskTool, type Question } from '../../lambdas/protocol/define-tool.ts';
import { form, format, sampling, url, type Workflow } from '../../lib/workflow-kit/index.ts';
import { synthWorkflow } from '../support/synth.ts';
import { isRecordWrite, statesOf, type State } from '../support/template.ts';

const STEP = 'tools/run_migration/steps/plan.ts';
const CONDITION_LOST = 'DynamoDb.ConditionalCheckFailedException';

/** The state machine of a tool with this workflow. */
const definitionOf = (workflow: Workflow, asks: readonly Question[] = ['elicitation.form']) => {
  const tool = defineTaskTool({
    title: 'A tool',
    description: 'A tool.',
    inputSchema: z.object({}),
    ttlMs: 24 * 3_600_000,
    pollIntervalMs: 500,
    asks,
  });
  const { taskTable, definition } = synthWorkflow(tool, workflow);
  return { taskTable, states: Object.fromEntries(statesOf(definition)) as Record<string, State> };
};

const yesOrNo = form({ message: 'Really?', schema: z.object({ sure: z.boolean() }) });
const ONE_HOUR = Duration.hours(1);

/** What every write of a workflow to a record has, whatever else it does. */
const expectTaskWrite = (state: State | undefined, taskTable: string): void => {
  expect(state).toMatchObject({
    Type: 'Task',
    Parameters: {
      TableName: `\${${taskTable}}`,
      Key: { pk: { 'S.$': '$$.Execution.Input.task.key' } },
      ConditionExpression: '#status = :working',
      ExpressionAttributeNames: { '#status': 'status', '#lastUpdatedAt': 'lastUpdatedAt' },
      ExpressionAttributeValues: { ':working': { S: 'working' }, ':now': { 'S.$': '$$.State.EnteredTime' } },
    },
  });
  expect(state?.['Parameters'].UpdateExpression).toContain('#lastUpdatedAt = :now');
};

describe('progress', () => {
  test('writes the message, on condition that the task works, and leaves the state data alone', () => {
    const { states, taskTable } = definitionOf((kit) =>
      kit.progress('Look around', format('{} of {}', '$.done', '$.total')),
    );

    expectTaskWrite(states['Look around'], taskTable);
    expect(states['Look around']).toMatchObject({
      Resource: 'arn:${AWS::Partition}:states:::aws-sdk:dynamodb:updateItem',
      ResultPath: null,
      Parameters: {
        UpdateExpression: 'SET #statusMessage = :statusMessage, #lastUpdatedAt = :now',
        ExpressionAttributeValues: {
          ':statusMessage': { 'S.$': "States.Format('{} of {}', $.done, $.total)" },
        },
      },
    });
  });

  test('says the state’s name by default', () => {
    const { states } = definitionOf((kit) => kit.progress('Look around'));

    expect(states['Look around']?.['Parameters'].ExpressionAttributeValues[':statusMessage']).toEqual({
      S: 'Look around',
    });
  });

  test('is tried again when DynamoDB is out of breath, and never when the task has ended', () => {
    const { states } = definitionOf((kit) => kit.progress('Look around'));
    const retried = states['Look around']?.['Retry'].flatMap(({ ErrorEquals }: State) => ErrorEquals);

    expect(retried).toContain('DynamoDb.ThrottlingException');
    expect(retried).not.toContain('States.ALL');
    expect(retried).not.toContain('States.TaskFailed');
    expect(retried).not.toContain(CONDITION_LOST);
  });
});

describe('ask', () => {
  const asking: Workflow = (kit) => kit.ask('confirm', { question: yesOrNo, timeout: ONE_HOUR });

  test('prepares a key that is never used twice, and the request as the client will see it', () => {
    const { states } = definitionOf(asking);

    expect(states['Prepare confirm']).toMatchObject({
      Type: 'Pass',
      ResultPath: '$.confirm',
      Parameters: {
        'key.$': "States.Format('confirm-{}', States.UUID())",
        request: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Really?',
            requestedSchema: {
              type: 'object',
              properties: { sure: { type: 'boolean' } },
              required: ['sure'],
            },
          },
        },
      },
    });
  });

  test('publishes question and callback token in one conditional write, and waits, but not for ever', () => {
    const { states, taskTable } = definitionOf(asking);

    expectTaskWrite(states['Ask confirm'], taskTable);
    expect(states['Ask confirm']).toMatchObject({
      Resource: 'arn:${AWS::Partition}:states:::aws-sdk:dynamodb:updateItem.waitForTaskToken',
      TimeoutSeconds: 3_600,
      ResultPath: '$.confirm',
      Parameters: {
        UpdateExpression: 'SET #inputs.#key = :input, #lastUpdatedAt = :now',
        ExpressionAttributeNames: { '#inputs': 'inputs', '#key.$': '$.confirm.key' },
        ExpressionAttributeValues: {
          ':input': {
            M: {
              request: { 'S.$': 'States.JsonToString($.confirm.request)' },
              token: { 'S.$': '$$.Task.Token' },
            },
          },
        },
      },
    });
  });

  test.each(['Answered confirm', 'Unanswered confirm'])('%s withdraws the question', (name) => {
    const { states, taskTable } = definitionOf(asking);

    expectTaskWrite(states[name], taskTable);
    expect(states[name]).toMatchObject({
      ResultPath: null,
      Parameters: {
        UpdateExpression: 'SET #lastUpdatedAt = :now REMOVE #inputs.#key',
        ExpressionAttributeNames: { '#inputs': 'inputs', '#key.$': '$.confirm.key' },
      },
    });
  });

  test('leads from the answer on, and from a timeout to a tool error in words', () => {
    const { states } = definitionOf((kit) =>
      kit
        .ask('confirm', { question: yesOrNo, timeout: ONE_HOUR })
        .next(kit.result('Done', { text: 'Done.' })),
    );

    expect(states['Prepare confirm']?.Next).toBe('Ask confirm');
    expect(states['Ask confirm']?.Next).toBe('Answered confirm');
    expect(states['Answered confirm']?.Next).toBe('Done');
    expect(states['Ask confirm']?.Catch).toEqual([
      { ErrorEquals: ['States.Timeout'], ResultPath: '$.confirm.timeout', Next: 'Unanswered confirm' },
    ]);
    expect(states['Nobody answered confirm']).toMatchObject({
      Type: 'Fail',
      Error: 'ToolError',
      Cause: expect.stringContaining('1 hour'),
    });
  });

  test('takes the author’s branch at a timeout, after withdrawing the question', () => {
    const { states } = definitionOf((kit) =>
      kit
        .ask('confirm', {
          question: yesOrNo,
          timeout: ONE_HOUR,
          onTimeout: kit.result('Give up', { text: 'Nobody was there.' }),
        })
        .next(kit.result('Done', { text: 'Done.' })),
    );

    expect(states['Unanswered confirm']?.Next).toBe('Give up');
    expect(states).not.toHaveProperty(['Nobody answered confirm']);
  });

  test('puts the answer where the author says', () => {
    const { states } = definitionOf((kit) =>
      kit.ask('confirm', { question: yesOrNo, timeout: ONE_HOUR, resultPath: '$.answers.first' }),
    );

    expect(states['Prepare confirm']?.['ResultPath']).toBe('$.answers.first');
    expect(states['Ask confirm']?.['ResultPath']).toBe('$.answers.first');
    expect(states['Answered confirm']?.['Parameters'].ExpressionAttributeNames['#key.$']).toBe(
      '$.answers.first.key',
    );
  });

  test.each<[string, Question, Parameters<typeof form>[0] | undefined]>([
    ['a URL', 'elicitation.url', undefined],
    ['the client’s model', 'sampling', undefined],
    ['a form', 'elicitation.form', undefined],
  ])('asking for %s has to be announced in the manifest', (_, kind) => {
    const question = {
      'elicitation.form': yesOrNo,
      'elicitation.url': url({ message: 'Pay here.', url: 'https://example.com/pay' }),
      sampling: sampling({
        messages: [{ role: 'user', content: { type: 'text', text: 'Hi.' } }],
        maxTokens: 9,
      }),
    }[kind];
    const workflow: Workflow = (kit) => kit.ask('something', { question, timeout: ONE_HOUR });
    const others = (['elicitation.form', 'elicitation.url', 'sampling'] as const).filter(
      (other) => other !== kind,
    );

    expect(() => definitionOf(workflow, others)).toThrow(
      `something asks for ${kind}: add it to \`asks\` in the tool's manifest`,
    );
    expect(() => definitionOf(workflow, [kind])).not.toThrow();
  });

  test.each(['has spaces', 'it’s', "it's", '{}', 'a.b', ''])(
    'a name that is no JSONPath member is refused at synthesis: %j',
    (name) => {
      expect(() => definitionOf((kit) => kit.ask(name, { question: yesOrNo, timeout: ONE_HOUR }))).toThrow();
    },
  );

  test('waiting longer than the task lives is refused at synthesis', () => {
    expect(() =>
      definitionOf((kit) => kit.ask('confirm', { question: yesOrNo, timeout: Duration.days(2) })),
    ).toThrow(/waits longer than the task lives/);
  });

  test('a question of more than 16,000 bytes is refused at synthesis: it goes with every poll', () => {
    const asking = (message: string) =>
      definitionOf((kit) =>
        kit.ask('confirm', {
          question: form({ message, schema: z.object({ yes: z.boolean() }) }),
          timeout: Duration.hours(1),
        }),
      );
    expect(() => asking('x'.repeat(15_000))).not.toThrow();
    expect(() => asking('x'.repeat(16_000))).toThrow(/^ask: confirm has 16\d{3} bytes of question/);
  });
});

describe('questions', () => {
  test('a URL', () => {
    expect(url({ message: 'Pay here.', url: 'https://example.com/pay' }).request).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Pay here.', url: 'https://example.com/pay' },
    });
  });

  test('the client’s model', () => {
    const params = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Sum it up.' } }],
      maxTokens: 100,
    };

    expect(sampling(params).request).toEqual({ method: 'sampling/createMessage', params });
  });

  test.each([
    ['text', z.string().min(1).max(5).describe('Your name'), { type: 'string', minLength: 1, maxLength: 5 }],
    ['an e-mail address', z.email(), { type: 'string', format: 'email' }],
    ['a whole number', z.int().min(0).max(9), { type: 'integer', minimum: 0, maximum: 9 }],
    ['a number', z.number(), { type: 'number' }],
    ['yes or no', z.boolean().default(false), { type: 'boolean', default: false }],
    ['a choice', z.enum(['red', 'blue']), { type: 'string', enum: ['red', 'blue'] }],
    [
      'several choices',
      z.array(z.enum(['red', 'blue'])),
      { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
    ],
  ])('a form may ask for %s', (_, field, expected) => {
    const { params } = form({ message: 'Tell me.', schema: z.object({ field }) }).request;

    expect(params['requestedSchema']).toMatchObject({ type: 'object', properties: { field: expected } });
  });

  test.each([
    ['an object', z.object({ inner: z.string() })],
    ['a list of objects', z.array(z.object({ inner: z.string() }))],
    ['a list of lists', z.array(z.array(z.string()))],
    ['one of several types', z.union([z.string(), z.number()])],
    ['something that may be null', z.string().nullable()],
    ['anything', z.unknown()],
    ['a list without choices', z.array(z.string())],
  ])('a form is flat, and may not ask for %s', (_, field) => {
    expect(() => form({ message: 'Tell me.', schema: z.object({ field }) })).toThrow(/^Form field field: /);
  });

  test('a field name that Step Functions would take for a path is refused', () => {
    expect(() => form({ message: 'Tell me.', schema: z.object({ 'a.$': z.string() }) })).toThrow(/a\.\$/);
  });

  test('what has a default need not be filled in', () => {
    const schema = z.object({
      name: z.string(),
      plan: z.string().default('free'),
      note: z.string().optional(),
    });

    expect(form({ message: 'Tell me.', schema }).request.params['requestedSchema']).toMatchObject({
      required: ['name'],
    });
  });
});

describe('run', () => {
  test('calls the step with the task and its input, and takes its result as it is', () => {
    const { states } = definitionOf((kit) =>
      kit.run('Do it', { entry: STEP, input: '$.arguments', resultPath: '$.work' }),
    );

    expect(states['Do it']).toMatchObject({
      Type: 'Task',
      Resource: expect.stringMatching(/^\$\{\w+\.Arn\}$/),
      Parameters: { 'task.$': '$$.Execution.Input.task', 'input.$': '$.arguments' },
      ResultPath: '$.work',
    });
  });

  test('hands over the whole state data by default, and an object with paths if given one', () => {
    const whole = definitionOf((kit) => kit.run('Do it', { entry: STEP })).states['Do it'];
    const parts = definitionOf((kit) => kit.run('Do it', { entry: STEP, input: { name: 'x' } })).states[
      'Do it'
    ];

    expect(whole?.['Parameters']).toEqual({ 'task.$': '$$.Execution.Input.task', 'input.$': '$' });
    expect(parts?.['Parameters']).toEqual({ 'task.$': '$$.Execution.Input.task', input: { name: 'x' } });
  });

  test('is tried again when Lambda fails, never when the step does', () => {
    const { states } = definitionOf((kit) => kit.run('Do it', { entry: STEP }));
    const retried = states['Do it']?.['Retry'].flatMap(({ ErrorEquals }: State) => ErrorEquals);

    expect(retried).toEqual(
      expect.arrayContaining(['Lambda.ServiceException', 'Lambda.TooManyRequestsException']),
    );
    for (const error of ['States.ALL', 'States.TaskFailed', 'ToolError', 'ProtocolError', 'Lambda.Unknown']) {
      expect(retried).not.toContain(error);
    }
  });
});

describe('result', () => {
  test('is a CallToolResult, resultType included', () => {
    const { states } = definitionOf((kit) =>
      kit.result('Report', { text: 'Done.', structuredContent: { total: 1 }, isError: false }),
    );

    expect(states['Report']).toMatchObject({
      Type: 'Pass',
      End: true,
      Parameters: {
        resultType: 'complete',
        content: [{ type: 'text', text: 'Done.' }],
        structuredContent: { total: 1 },
        isError: false,
      },
    });
  });

  test('takes its structured content from a path', () => {
    const { states } = definitionOf((kit) =>
      kit.result('Report', { text: 'Done.', structuredContent: '$.work' }),
    );

    expect(states['Report']?.['Parameters']['structuredContent.$']).toBe('$.work');
  });
});

describe('format', () => {
  test.each([
    ['{} of {}', ['$.a']],
    ['{}', []],
    ['no place', ['$.a']],
  ])('%j with the paths %j is refused at synthesis', (template, paths) => {
    expect(() => format(template, ...paths)).toThrow(/places for .* paths/);
  });

  test.each(['{name} has {}', '{ {} }', '{}}'])(
    'a brace that is no place would fail in the execution, so %j is refused at synthesis',
    (template) => {
      expect(() => format(template, '$.a')).toThrow(/brace/);
    },
  );

  test.each(["It's {}", 'a \\ and {}', '“{}” – ✓'])('keeps %j as it is written', (template) => {
    const { states } = definitionOf((kit) => kit.result('Report', { text: format(template, '$.a') }));
    const escaped = template.replaceAll('\\', '\\\\').replaceAll("'", "\\'");

    expect(states['Report']?.['Parameters'].content[0]['text.$']).toBe(`States.Format('${escaped}', $.a)`);
  });
});

describe('the end of a chain', () => {
  const SHAPING = ['What did the tool return?', 'Make a tool result of the text'];
  const shapes = (workflow: Workflow): boolean[] => {
    const { states } = definitionOf(workflow);
    return SHAPING.map((name) => name in states);
  };

  test('that is a kit.result needs no shaping: one transition less to pay for', () => {
    expect(shapes((kit) => kit.result('Report', { text: 'Done.' }))).toEqual([false, false]);
  });

  test('that has a kit.result on every branch needs none either', () => {
    expect(
      shapes((kit) =>
        new Choice(kit.scope, 'Which?')
          .when(Condition.isPresent('$.a'), kit.result('A', { text: 'A' }))
          .otherwise(
            kit.ask('b', { question: yesOrNo, timeout: ONE_HOUR }).next(kit.result('B', { text: 'B' })),
          ),
      ),
    ).toEqual([false, false]);
  });

  test.each<[string, Workflow]>([
    ['a plain state', (kit) => new Pass(kit.scope, 'Think')],
    ['a Lambda step', (kit) => kit.run('Do it', { entry: STEP })],
    ['progress', (kit) => kit.progress('Look around')],
    [
      'a Succeed after a kit.result',
      (kit) => kit.result('A', { text: 'A' }).next(new Succeed(kit.scope, 'Yes')),
    ],
    [
      'a plain state on one branch of two',
      (kit) =>
        new Choice(kit.scope, 'Which?')
          .when(Condition.isPresent('$.a'), kit.result('A', { text: 'A' }))
          .otherwise(new Pass(kit.scope, 'B')),
    ],
    [
      'a plain state that only an error leads to',
      (kit) =>
        kit
          .run('Do it', { entry: STEP })
          .addCatch(new Pass(kit.scope, 'Recover'))
          .next(kit.result('A', { text: 'A' })),
    ],
  ])('that is %s is shaped into a CallToolResult', (_, workflow) => {
    expect(shapes(workflow)).toEqual([true, true]);
  });

  test('every shape is a CallToolResult with resultType', () => {
    const { states } = definitionOf((kit) => new Pass(kit.scope, 'Think'));
    const { Parameters: merged } = states['Take the tool result']!;

    expect(merged['result.$']).toBe('States.JsonMerge($.result, $.complete, false)');
    expect(states['Run tool']?.['ResultSelector']).toEqual({
      'result.$': '$[0]',
      complete: { resultType: 'complete' },
    });
    for (const name of [
      'Make a tool result of the text',
      'Make a tool result of the value',
      'Word the tool error',
    ]) {
      expect(states[name]?.['Parameters'].result).toMatchObject({
        resultType: 'complete',
        content: [{ type: 'text', 'text.$': expect.any(String) }],
      });
    }
  });
});

test('a kit state works inside a Map: it finds its task by the context, not by the state data', () => {
  const { states, taskTable } = definitionOf((kit) =>
    new MapState(kit.scope, 'For each', { itemsPath: '$.arguments.items' }).itemProcessor(
      kit.ask('confirm', { question: yesOrNo, timeout: ONE_HOUR }).next(kit.progress('One more')),
    ),
  );

  for (const name of ['Ask confirm', 'Answered confirm', 'One more']) {
    expect(isRecordWrite(states[name]!)).toBe(true);
    expectTaskWrite(states[name], taskTable);
  }
});
