import {
  createRequestStateCodec,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** How long a round may take: a person has to answer in this time. */
const TTL_SECONDS = 600;

class InvalidRequestState extends ProtocolError {
  constructor() {
    super(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
      reason: 'invalid_request_state',
    });
  }
}

export interface RequestState {
  /** Secret of at least 32 bytes; undefined if the tool keeps no state. */
  key?: () => Promise<string>;
  /** What a state is good for: the caller, the method, the tool and its arguments. Elsewhere it is refused. */
  boundTo: readonly unknown[];
}

/**
 * Runs one round of a call whose state goes through the client (basic/patterns/mrtr, Server Requirements 4 and 5).
 * The tool's code reads and gives plain text; what the client holds is sealed: bound, and good for ten minutes. It
 * can be read by the client, and presented again within that time.
 * @throws -32602 for a state that was not sealed here, for this
 */
export const keepRequestState = async <Answer extends Result>(
  context: ServerContext,
  { key, boundTo }: RequestState,
  run: (context: ServerContext) => Promise<Answer>,
): Promise<Answer> => {
  let made: RequestStateCodec<string> | undefined;
  const codec = async () =>
    (made ??=
      key &&
      createRequestStateCodec<string>({
        key: await key(),
        ttlSeconds: TTL_SECONDS,
        bind: () => JSON.stringify(boundTo),
      }));

  const sealed = context.mcpReq.requestState<string>();
  let state: string | undefined;
  if (sealed !== undefined) {
    const opener = await codec();
    state = await opener?.verify(sealed, context).catch(() => undefined);
    if (state === undefined) throw new InvalidRequestState();
  }
  const answer = await run({
    ...context,
    mcpReq: { ...context.mcpReq, requestState: <T>() => state as T | undefined },
  });
  if (!isInputRequiredResult(answer) || answer.requestState === undefined) return answer;
  const sealer = await codec();
  if (sealer === undefined) throw new Error('A tool that returns requestState says so in its manifest');
  return { ...answer, requestState: await sealer.mint(answer.requestState, context) };
};

/** For prompts and resources: they may ask, but nothing seals a state for them, so one that comes is not ours. */
export const refuseUnsealedState = (_state: string, { mcpReq }: ServerContext): void => {
  if (mcpReq.method !== 'tools/call') throw new Error('Only tools keep state between rounds');
};
