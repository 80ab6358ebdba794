import { mcpRequest, type RequestOptions } from './request.ts';

/* eslint-disable @typescript-eslint/no-explicit-any -- a test reads messages as they are */
export interface Message {
  method?: string;
  params?: any;
  id?: unknown;
  result?: any;
  error?: any;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** One event of a stream: a message, or a comment. */
export type Frame = { message: Message } | { comment: string };

export interface Stream {
  response: Response;
  /** The next message, comments left out; undefined at the end. */
  next(): Promise<Message | undefined>;
  /** Every message up to the first that fits, or to the end. */
  until(fits: (message: Message) => boolean): Promise<Message[]>;
  /** Every message that is still to come. */
  rest(): Promise<Message[]>;
  /** All that has been read so far, comments too. */
  frames: Frame[];
  /** Goes away, as a client that has heard enough. */
  close(): Promise<void>;
}

/** `subscriptions/listen` for some tasks. */
export const listen = async (
  mcpUrl: string,
  taskIds: unknown,
  { notifications = {}, ...options }: RequestOptions & { notifications?: object } = {},
): Promise<Stream> => {
  const filter = taskIds === undefined ? notifications : { ...notifications, taskIds };
  const init = mcpRequest('subscriptions/listen', { notifications: filter }, options);
  return readStream(await fetch(mcpUrl, init));
};

export const readStream = (response: Response): Stream => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const frames: Frame[] = [];
  let buffered = '';

  const nextFrame = async (): Promise<Frame | undefined> => {
    for (;;) {
      const end = buffered.indexOf('\n\n');
      if (end >= 0) {
        const frame = parseFrame(buffered.slice(0, end));
        buffered = buffered.slice(end + 2);
        frames.push(frame);
        return frame;
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      buffered += value;
    }
  };
  const next = async (): Promise<Message | undefined> => {
    for (;;) {
      const frame = await nextFrame();
      if (frame === undefined) return undefined;
      if ('message' in frame) return frame.message;
    }
  };
  const until = async (fits: (message: Message) => boolean): Promise<Message[]> => {
    const messages: Message[] = [];
    for (;;) {
      const message = await next();
      if (message !== undefined) messages.push(message);
      if (message === undefined || fits(message)) return messages;
    }
  };
  return { response, next, until, rest: () => until(() => false), frames, close: () => reader.cancel() };
};

const parseFrame = (text: string): Frame => {
  const lines = text.split('\n');
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
  return data.length > 0 ? { message: JSON.parse(data.join('\n')) as Message } : { comment: text };
};

/** Whether a message tells that a task has this status. */
export const tells =
  (status: string) =>
  ({ method, params }: Message): boolean =>
    method === 'notifications/tasks' && params.status === status;
