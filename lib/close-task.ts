import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import {
  Choice,
  Condition,
  Fail,
  JsonPath,
  Parallel,
  Pass,
  State,
  Succeed,
  type IChainable,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { TaskTool } from '../lambdas/protocol/define-tool.ts';
import { TASK_IS_CANCELLED, TASK_IS_CLOSED, writeRecord } from './workflow-kit/task-record.ts';
import { ToolResult } from './workflow-kit/tool-result.ts';

const INTERNAL_ERROR = {
  code: -32603,
  message: 'The tool failed unexpectedly. Its operators find the cause under the task id.',
};

const UNDO_FAILED = {
  code: -32603,
  message:
    'The task was cancelled, but its work could not be undone. Its operators find the cause under the task id.',
};

export interface CloseTaskProps {
  toolName: string;
  tool: Pick<TaskTool, 'cancel'>;
  /** The author's. */
  chain: IChainable;
  /** What the author's chain did and a cooperative cancel must undo. */
  undo?: IChainable;
  /** The chain may end with a result that is stored elsewhere. */
  storesResults?: boolean;
  table: ITable;
}

/**
 * Wraps an author's chain in the states that close the record: completed with the result, completed with
 * `isError` for a ToolError, failed for a ProtocolError and for everything else.
 */
export const closeTask = (
  scope: Construct,
  { toolName, tool, chain, undo, storesResults = false, table }: CloseTaskProps,
): IChainable => {
  const closed = new Succeed(scope, 'Task was closed meanwhile', {
    comment: 'A cancel, or another end of the task, came first. It stands.',
  });
  const complete = writeRecord(scope, 'Complete the task', table, {
    comment: 'The result, exactly as the original request would have returned it.',
    set: {
      status: { S: 'completed' },
      result: { S: JsonPath.jsonToString(JsonPath.objectAt('$.result')) },
      inputs: { M: {} },
    },
    remove: ['statusMessage'],
  }).addCatch(closed, { errors: [TASK_IS_CLOSED], resultPath: JsonPath.DISCARD });
  complete.next(new Succeed(scope, 'Task completed'));

  const fail = writeRecord(scope, 'Fail the task', table, {
    comment: 'The JSON-RPC error that the original request would have been answered with.',
    set: {
      status: { S: 'failed' },
      statusMessage: { S: JsonPath.stringAt('$.parsed.message') },
      error: { S: JsonPath.stringAt('$.error') },
      inputs: { M: {} },
    },
  }).addCatch(closed, { errors: [TASK_IS_CLOSED], resultPath: JsonPath.DISCARD });
  fail.next(
    new Fail(scope, 'Task failed', {
      comment: 'The execution fails as well, so that the console and the alarms show it.',
      errorPath: '$.caught.Error',
      causePath: '$.caught.Cause',
    }),
  );

  // A Parallel with one branch is the try of a try and catch. A condition that was lost in it may be the author's
  // own: only the closing write, which has the same condition, can tell whether the task was closed meanwhile.
  const run = new Parallel(scope, `Run ${toolName}`, {
    resultSelector: { result: JsonPath.objectAt('$[0]'), complete: { resultType: 'complete' } },
  });
  run.branch(chain);
  const failure = wordFailure(scope, 'Word the failure', INTERNAL_ERROR, fail);
  if (tool.cancel === 'cooperative') {
    const cancel = cancelTask(scope, { toolName, undo, table, closed, fail });
    run.addCatch(cancel, { errors: [TASK_IS_CANCELLED], resultPath: '$.cancelled' });
    const isCancelled = writeRecord(scope, 'Is it cancelled?', table, {
      comment:
        'A write that lost its condition met the request to cancel, or a condition of the author’s own.',
      cancelIs: 'requested',
    }).addCatch(failure, { errors: ['States.ALL'] });
    run.addCatch(isCancelled.next(cancel), { errors: [TASK_IS_CLOSED], resultPath: '$.cancelled' });
  }
  run.addCatch(wordToolError(scope, complete, failure), { errors: ['ToolError'] });
  run.addCatch(wordProtocolError(scope, fail, failure), { errors: ['ProtocolError'] });
  run.addCatch(failure, { errors: ['States.ALL'] });
  // A result that DynamoDB refuses must not leave the task working.
  complete.addCatch(failure, { errors: ['States.ALL'] });
  const shaped = endsInToolResults(chain) ? complete : shapeResult(scope, complete);
  run.next(storesResults ? takeStoredResult(scope, { table, closed, failure, otherwise: shaped }) : shaped);
  return run;
};

/** If every end of the chain is a `kit.result`, the result needs no shaping: a state transition less to pay for. */
const endsInToolResults = (chain: IChainable): boolean => {
  const reachable = State.findReachableStates(chain.startState, { includeErrorHandlers: true });
  const ends = reachable.filter((state) => {
    const { End: end, Type: type } = state.toStateJson() as { End?: boolean; Type: string };
    return end === true || type === 'Succeed';
  });
  return ends.every((state) => state instanceof ToolResult);
};

interface StoredResultEnds extends Record<'closed' | 'failure' | 'otherwise', IChainable> {
  table: ITable;
}

/** `storeResult` gives where the result is, instead of the result: so does the record. */
const takeStoredResult = (
  scope: Construct,
  { table, closed, failure, otherwise }: StoredResultEnds,
): IChainable => {
  const complete = writeRecord(scope, 'Complete the task with a stored result', table, {
    comment: 'The result is too large for the record, which says where it is.',
    set: {
      status: { S: 'completed' },
      storedResult: {
        M: {
          key: { S: JsonPath.stringAt('$.result.storedResult.key') },
          bytes: { N: JsonPath.format('{}', JsonPath.stringAt('$.result.storedResult.bytes')) },
        },
      },
      inputs: { M: {} },
    },
    remove: ['statusMessage'],
  }).addCatch(closed, { errors: [TASK_IS_CLOSED], resultPath: JsonPath.DISCARD });
  complete.addCatch(failure, { errors: ['States.ALL'] });
  complete.next(new Succeed(scope, 'Task completed with a stored result'));
  return new Choice(scope, 'Where is the result?')
    .when(Condition.isPresent('$.result.storedResult.key'), complete)
    .otherwise(otherwise.startState);
};

/** Whatever a chain ends with becomes a CallToolResult: one is taken as it is, a text as text, the rest as JSON. */
const shapeResult = (scope: Construct, complete: IChainable): IChainable => {
  const shape = (state: string, result: unknown): IChainable =>
    new Pass(scope, state, { parameters: { result } }).next(complete);

  return new Choice(scope, 'What did the tool return?')
    .when(
      Condition.or(
        Condition.isPresent('$.result.content[0].type'),
        Condition.and(
          Condition.isPresent('$.result.content'),
          Condition.isPresent('$.result.structuredContent'),
        ),
      ),
      shape(
        'Take the tool result',
        JsonPath.jsonMerge(JsonPath.objectAt('$.result'), JsonPath.objectAt('$.complete')),
      ),
    )
    .when(
      Condition.isString('$.result'),
      shape('Make a tool result of the text', {
        resultType: 'complete',
        content: [{ type: 'text', text: JsonPath.stringAt('$.result') }],
      }),
    )
    .otherwise(
      shape('Make a tool result of the value', {
        resultType: 'complete',
        content: [{ type: 'text', text: JsonPath.jsonToString(JsonPath.objectAt('$.result')) }],
        structuredContent: JsonPath.objectAt('$.result'),
      }),
    );
};

/** A Lambda reports an error as JSON with this member; a Fail state of the author's gives plain text. */
const reportedByLambda = Condition.stringMatches('$.Cause', '*"errorMessage":*');

const wordToolError = (scope: Construct, complete: IChainable, failure: IChainable): IChainable => {
  const word = new Pass(scope, 'Word the tool error', {
    parameters: {
      result: {
        resultType: 'complete',
        content: [{ type: 'text', text: JsonPath.stringAt('$.cause.errorMessage') }],
        isError: true,
      },
    },
  });
  word.next(complete);
  return new Choice(scope, 'Is the tool error a step’s?')
    .when(Condition.isNotPresent('$.Cause'), failure)
    .when(
      reportedByLambda,
      new Pass(scope, 'Read the tool error', {
        parameters: { cause: JsonPath.stringToJson(JsonPath.stringAt('$.Cause')) },
      }).next(word),
    )
    .otherwise(
      new Pass(scope, 'Take the cause as the message', {
        parameters: { cause: { errorMessage: JsonPath.stringAt('$.Cause') } },
      }).next(word),
    );
};

const wordProtocolError = (scope: Construct, fail: IChainable, failure: IChainable): IChainable =>
  new Choice(scope, 'Is the protocol error a step’s?')
    .when(
      Condition.and(Condition.isPresent('$.Cause'), reportedByLambda),
      new Pass(scope, 'Read the protocol error', {
        parameters: {
          cause: JsonPath.stringToJson(JsonPath.stringAt('$.Cause')),
          caught: JsonPath.objectAt('$'),
        },
      })
        .next(
          new Pass(scope, 'Word the protocol error', {
            parameters: {
              error: JsonPath.stringAt('$.cause.errorMessage'),
              parsed: JsonPath.stringToJson(JsonPath.stringAt('$.cause.errorMessage')),
              caught: JsonPath.objectAt('$.caught'),
            },
          }),
        )
        .next(fail),
    )
    .otherwise(failure);

/** What went wrong is in the execution's history, for operators; the caller gets a neutral sentence. */
const wordFailure = (
  scope: Construct,
  state: string,
  error: typeof INTERNAL_ERROR,
  fail: IChainable,
): IChainable =>
  new Pass(scope, state, {
    parameters: {
      error: JSON.stringify(error),
      parsed: { message: error.message },
      caught: JsonPath.objectAt('$'),
    },
  }).next(fail);

interface CancelTask extends Pick<CloseTaskProps, 'toolName' | 'undo' | 'table'> {
  closed: State;
  fail: IChainable;
}

/** The end of a cooperative cancel: undoes the work, and only then says that the task is cancelled. */
const cancelTask = (scope: Construct, { toolName, undo, table, closed, fail }: CancelTask): IChainable => {
  const cancel = writeRecord(scope, 'Cancel the task', table, {
    comment: 'The work has ended, and what there was to undo is undone.',
    set: {
      status: { S: 'cancelled' },
      statusMessage: { S: 'Cancelled at the caller’s request.' },
      inputs: { M: {} },
    },
  }).addCatch(closed, { errors: [TASK_IS_CLOSED], resultPath: JsonPath.DISCARD });
  cancel.next(new Succeed(scope, 'Task cancelled'));
  if (undo === undefined) return cancel;

  const undoing = new Parallel(scope, `Undo ${toolName}`, { resultPath: JsonPath.DISCARD });
  undoing.branch(undo);
  undoing.addCatch(wordFailure(scope, 'Word what could not be undone', UNDO_FAILED, fail), {
    errors: ['States.ALL'],
  });
  undoing.next(cancel);
  return undoing;
};
