import { failureDetails, History } from './history.ts';
import type { Json, JsonObject } from './json.ts';
import { runScope } from './scope.ts';
import type { Services } from './services.ts';
import type { StateMachine } from './state-machine.ts';
import { after } from './timers.ts';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

export interface Failure {
  error?: string;
  cause?: string;
}

interface End extends Failure {
  status: Exclude<ExecutionStatus, 'RUNNING'>;
  output?: string;
}

/** What an execution's status change event tells: EventBridge's `Step Functions Execution Status Change`. */
export interface ExecutionEnd extends End {
  executionArn: string;
  name: string;
  stateMachineArn: string;
  input: string;
  startDate: Date;
  stopDate: Date;
}

const END_EVENTS = {
  SUCCEEDED: 'ExecutionSucceeded',
  FAILED: 'ExecutionFailed',
  TIMED_OUT: 'ExecutionTimedOut',
  ABORTED: 'ExecutionAborted',
};

/** One execution, from its start to the first end that comes. */
export class Execution {
  readonly arn: string;
  readonly startDate = new Date();
  readonly history = new History();
  private end?: ExecutionEnd;
  private readonly abort = new AbortController();
  private cancelTimeout = (): void => {};

  constructor(
    readonly machine: StateMachine,
    readonly name: string,
    readonly input: string,
    private readonly onEnd: (end: ExecutionEnd) => void,
  ) {
    this.arn = `${machine.arn.replace(':stateMachine:', ':execution:')}:${name}`;
  }

  get status(): ExecutionStatus {
    return this.end?.status ?? 'RUNNING';
  }

  get stopDate(): Date | undefined {
    return this.end?.stopDate;
  }

  get outcome(): End | undefined {
    return this.end;
  }

  async run(services: Services): Promise<void> {
    const { plan, timeoutSeconds, roleArn } = this.machine;
    const previousEventId = this.history.add('ExecutionStarted', { input: this.input, roleArn }, 0);
    if (timeoutSeconds !== undefined) {
      const timeOut = (): void => this.finish({ status: 'TIMED_OUT', error: 'States.Timeout' });
      this.cancelTimeout = after(timeoutSeconds * 1000, timeOut);
    }
    const input = JSON.parse(this.input) as Json;
    const { history } = this;
    const { signal } = this.abort;
    try {
      const scope = { context: this.context(input), signal, history, services, previousEventId };
      const output = await runScope(plan, input, scope);
      this.finish({ status: 'SUCCEEDED', output: JSON.stringify(output) });
    } catch (error) {
      this.finish({ status: 'FAILED', ...failureDetails(error) });
    }
  }

  /** StopExecution. An execution that has ended stays as it ended. */
  stop(failure: Failure): void {
    this.finish({ status: 'ABORTED', ...failure });
  }

  /** Ends the states without ending the execution: the engine closes, and nobody shall be told of it. */
  discard(): void {
    this.cancelTimeout();
    this.abort.abort();
  }

  private finish(end: End): void {
    if (this.end || this.abort.signal.aborted) return;
    const { name, arn: executionArn, input, startDate } = this;
    const stateMachineArn = this.machine.arn;
    this.end = { ...end, executionArn, name, stateMachineArn, input, startDate, stopDate: new Date() };
    const { status, output, error, cause } = end;
    this.history.close(END_EVENTS[status], definedOnly({ output, error, cause }));
    this.discard();
    this.onEnd(this.end);
  }

  private context(input: Json): JsonObject {
    const { arn, name, roleArn } = this.machine;
    return {
      Execution: {
        Id: this.arn,
        Input: input,
        Name: this.name,
        RedriveCount: 0,
        RoleArn: roleArn,
        StartTime: this.startDate.toISOString(),
      },
      StateMachine: { Id: arn, Name: name },
    };
  }
}

const definedOnly = (details: Record<string, string | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as JsonObject;
