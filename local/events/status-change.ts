import { randomUUID } from 'node:crypto';
import type { ExecutionEnd } from '../step-functions/execution.ts';
import { ACCOUNT, REGION } from '../template-names.ts';

/** Input and output are left out of an event that would become too large with them. */
const MAX_DATA_BYTES = 248 * 1024;

export interface Event {
  source: string;
  'detail-type': string;
  detail: Record<string, unknown>;
  [member: string]: unknown;
}

/** What Step Functions tells EventBridge when an execution ends. */
export const statusChangeEvent = (end: ExecutionEnd): Event => {
  const { executionArn, stateMachineArn, name, status, startDate, stopDate, input, output, error, cause } =
    end;
  const included = Buffer.byteLength(JSON.stringify([input, output ?? ''])) <= MAX_DATA_BYTES;
  const data = (value: string | undefined) => (included ? (value ?? null) : null);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Step Functions Execution Status Change',
    source: 'aws.states',
    account: ACCOUNT,
    time: stopDate.toISOString(),
    region: REGION,
    resources: [executionArn],
    detail: {
      executionArn,
      stateMachineArn,
      name,
      status,
      startDate: startDate.getTime(),
      stopDate: stopDate.getTime(),
      input: data(input),
      inputDetails: { included },
      output: data(output),
      outputDetails: output === undefined ? null : { included },
      error: error ?? null,
      cause: cause ?? null,
    },
  };
};
