import type { Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import {
  Fail,
  JsonPath,
  Pass,
  StateMachineFragment,
  Timeout,
  type IChainable,
  type INextable,
  type State,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Question } from './question.ts';
import { writeRecord, type RecordWrite } from './task-record.ts';

/** Every open question goes with every poll. What values of the state data add, Step Functions bounds: 256 KiB. */
const LARGEST_QUESTION_BYTES = 16_000;

export interface AskProps {
  question: Question;
  /** How long the task waits for its human. */
  timeout: Duration;
  /** Where `{ key, response }` lands in the state data; `$.<name>` by default. */
  resultPath?: string;
  /** The branch to take when nobody answers. By default the task ends with a tool error that says so. */
  onTimeout?: IChainable;
}

export interface AskOptions extends AskProps, Pick<RecordWrite, 'cancelIs'> {}

/**
 * A question to the client: publishes it in the record together with the callback token, waits, and goes on with
 * the answer. Four states: Prepare (so that the console shows what was asked), Ask, Answered, Unanswered.
 */
export class Ask extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[];

  constructor(scope: Construct, name: string, table: ITable, props: AskOptions) {
    super(scope, name);
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new Error(`ask: "${name}" names a member of the state data; letters, digits and _ only`);
    }
    const bytes = Buffer.byteLength(JSON.stringify(props.question.request));
    if (bytes > LARGEST_QUESTION_BYTES) {
      throw new Error(
        `ask: ${name} has ${bytes} bytes of question, and ${LARGEST_QUESTION_BYTES} are enough for one; link to the rest`,
      );
    }
    const at = props.resultPath ?? `$.${name}`;
    const key = `${at}.key`;

    const prepare = new Pass(this, `Prepare ${name}`, {
      // A key is never used twice in a task's life (SEP-2663), not in a loop and not in a retry.
      parameters: { key: JsonPath.format(`${name}-{}`, JsonPath.uuid()), request: props.question.request },
      resultPath: at,
    });
    const ask = writeRecord(this, `Ask ${name}`, table, {
      comment: 'Publishes the question and waits for tasks/update to answer it.',
      input: {
        key,
        value: {
          M: {
            request: { S: JsonPath.jsonToString(JsonPath.objectAt(`${at}.request`)) },
            token: { S: JsonPath.taskToken },
            askedAt: { S: JsonPath.stringAt('$$.State.EnteredTime') },
          },
        },
      },
      cancelIs: props.cancelIs,
      waitForAnswer: { timeout: Timeout.duration(props.timeout), resultPath: at },
    });
    const answered = writeRecord(this, `Answered ${name}`, table, {
      comment: 'The endpoint clears the question too; this one holds when it crashed before it could.',
      input: { key },
    });
    const unanswered = writeRecord(this, `Unanswered ${name}`, table, {
      comment: 'Withdraws the question: an answer that comes now has no effect.',
      input: { key },
    });

    ask.addCatch(unanswered, { errors: ['States.Timeout'], resultPath: `${at}.timeout` });
    unanswered.next(
      props.onTimeout ??
        new Fail(this, `Nobody answered ${name}`, {
          error: 'ToolError',
          cause: `Nobody answered within ${props.timeout.toHumanString()}, so the task was given up.`,
        }),
    );
    this.startState = prepare;
    prepare.next(ask).next(answered);
    this.endStates = [answered];
  }
}
