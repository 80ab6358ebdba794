import { call, type RequestOptions } from './wire/request.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a test reads the wire as it is */
export type Result = Record<string, any>;
export interface RpcResponse {
  status: number;
  result?: Result;
  error?: { code: number; message: string; data?: any };
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** One request of the 2026-07-28 revision by hand: for what the official client would not send. */
export const rpc = async (
  mcpUrl: string,
  method: string,
  params: Record<string, unknown> = {},
  options: Pick<RequestOptions, 'capabilities' | 'headers'> = {},
): Promise<RpcResponse> => {
  const { status, body } = await call(mcpUrl, method, params, options);
  return { status, result: body.result, error: body.error };
};

/** Polls until the task is in one of the states. The suite's time limit is the only limit. */
export const pollUntil = async (mcpUrl: string, taskId: string, ...statuses: string[]): Promise<Result> => {
  for (;;) {
    const { result, error } = await rpc(mcpUrl, 'tasks/get', { taskId });
    if (result === undefined) throw new Error(`tasks/get answered ${JSON.stringify(error)}`);
    if (statuses.includes(result['status'])) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
