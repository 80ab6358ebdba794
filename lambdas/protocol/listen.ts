import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type ProtocolError,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { requireTasks } from './capabilities.ts';
import { answerErrors, InvalidParams, type Log } from './errors.ts';
import { pause } from './pause.ts';
import type { TaskRecord } from './task.ts';
import { detailedTask } from './wire.ts';

export interface ListenLimits {
  /** Task ids one stream may follow; the acknowledgement names those that it does. 0 switches listening off. */
  tasksPerStream: number;
  /** Milliseconds after which a stream ends gracefully. A client that still wants to listen asks again. */
  streamMs: number;
  /** Milliseconds between two looks at the records: what changes twice in between is told once. */
  pollMs: number;
  /** Milliseconds of silence after which a comment keeps the connection from being closed as idle. */
  keepAliveMs: number;
}

export interface Listen {
  limits: ListenLimits;
  /** The caller's own task, or undefined: unknown, expired and somebody else's read the same. */
  find(taskId: string): Promise<TaskRecord | undefined>;
  serverInfo: Implementation;
  log: Log;
  /** Aborted when the client has gone or the platform is about to cut the stream. */
  signal: AbortSignal;
}

const listenRequest = z.object({
  id: z.union([z.string(), z.number()]),
  params: z.object({
    _meta: z.record(z.string(), z.unknown()).optional(),
    notifications: z.object({ taskIds: z.unknown() }),
  }),
});
const taskIds = z.array(z.string());

/**
 * `subscriptions/listen` with `taskIds` (SEP-2663, Task Status Notifications). The SDK knows no task ids: it
 * validates the request, and what it refuses stays refused. A stream that it would open is replaced by one that
 * acknowledges the ids, tells every change of the tasks, and ends with the result.
 * @param body the request as parsed JSON.
 * @param answered the SDK's answer to it.
 */
export const listenToTasks = async (body: unknown, answered: Response, listen: Listen): Promise<Response> => {
  const request = listenRequest.safeParse(body);
  const isStream = answered.headers.get('content-type')?.startsWith('text/event-stream');
  if (!isStream || !request.success || request.data.params.notifications.taskIds === undefined)
    return answered;

  const { id, params } = request.data;
  const open = answerErrors(listen.log)(async () => {
    requireTasks(params._meta?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined);
    const asked = taskIds.safeParse(params.notifications.taskIds);
    if (!asked.success) throw new InvalidParams('params.notifications.taskIds must be an array of strings.');
    const found = await findAll(asked.data, listen);
    const frames = (signal: AbortSignal) => notifications(id, found, { ...listen, signal });
    await answered.body?.cancel();
    return new Response(streamOf(frames, listen.signal), { headers: answered.headers });
  });
  return open().catch(({ code, message, data }: ProtocolError) =>
    Response.json(
      { jsonrpc: '2.0', id, error: { code, message, data } },
      { status: code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200 },
    ),
  );
};

/** The caller's own tasks among those asked for, as many as one stream may follow. */
const findAll = async (asked: string[], { limits, find }: Listen): Promise<TaskRecord[]> => {
  const distinct = [...new Set(asked)].slice(0, limits.tasksPerStream);
  const found = await Promise.all(distinct.map((taskId) => find(taskId)));
  return found.filter((task) => task !== undefined);
};

async function* notifications(
  id: string | number,
  found: TaskRecord[],
  { limits, find, serverInfo, log, signal }: Listen,
): AsyncGenerator<string> {
  const deadline = Date.now() + limits.streamMs;
  const followed = new Map<string, string | undefined>();
  const _meta = { [SUBSCRIPTION_ID_META_KEY]: id };
  const agreed = { taskIds: found.map(({ taskId }) => taskId) };
  // What else was asked for is left out: the lists of a deployed server do not change.
  yield frame({
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: agreed, _meta },
  });

  const tell = (task: TaskRecord): string | undefined => {
    const state = observable(task);
    if (followed.get(task.taskId) === state) return undefined;
    if (task.status === 'working') followed.set(task.taskId, state);
    else followed.delete(task.taskId);
    return frame({ method: 'notifications/tasks', params: { ...detailedTask(task), _meta } });
  };

  for (const task of found) yield tell(task) ?? '';
  let quietSince = Date.now();
  while (followed.size > 0 && Date.now() + limits.pollMs < deadline) {
    await pause(limits.pollMs, signal);
    if (signal.aborted) break;
    for (const taskId of [...followed.keys()]) {
      const task = await find(taskId).catch((error: unknown) => {
        // The next look may succeed, and the client can poll meanwhile.
        log.warn('Could not look at a task that is listened to', { taskId, error });
        return 'unavailable' as const;
      });
      if (task === 'unavailable') continue;
      const notification = task && tell(task);
      if (task === undefined) followed.delete(taskId);
      if (notification === undefined) continue;
      yield notification;
      quietSince = Date.now();
    }
    if (Date.now() - quietSince < limits.keepAliveMs) continue;
    yield ': keep-alive\n\n';
    quietSince = Date.now();
  }
  const result = { resultType: 'complete', _meta: { ..._meta, [SERVER_INFO_META_KEY]: serverInfo } };
  yield frame({ id, result });
}

/** What makes two looks at a task differ; the suggested poll interval grows by itself and is no news. */
const observable = (task: TaskRecord): string =>
  JSON.stringify({ ...detailedTask(task), pollIntervalMs: undefined });

const frame = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

/** Frames as a body. A client that goes away cancels it, which ends the work behind it. */
const streamOf = (
  generate: (signal: AbortSignal) => AsyncGenerator<string>,
  ended: AbortSignal,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const frames = generate(AbortSignal.any([gone.signal, ended]));
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await frames.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => gone.abort(),
  });
};
