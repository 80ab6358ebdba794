import type { AwsCall, AwsCallHook, AwsReply, AwsRequest, DROP } from './calls.ts';

/** Writes down every AWS call, and lets hooks come between caller and service. */
export class CallLog {
  private recorded: AwsCall[] = [];
  private hooks: AwsCallHook[] = [];

  get calls(): readonly AwsCall[] {
    return this.recorded;
  }

  reset(): void {
    this.recorded = [];
  }

  /** The hook that came last is the outermost. Returns how to take it out again. */
  intercept(hook: AwsCallHook): () => void {
    this.hooks.push(hook);
    return () => {
      this.hooks = this.hooks.filter((other) => other !== hook);
    };
  }

  async handle(call: AwsRequest, serve: () => Promise<AwsReply>): Promise<AwsReply | typeof DROP> {
    const { service, operation, caller } = call;
    this.recorded.push({ service, operation, caller });
    let lost: typeof DROP | undefined;
    const chain = this.hooks.reduce<() => Promise<AwsReply>>(
      (proceed, hook) => async () => {
        const reply = await hook(call, proceed);
        if (typeof reply !== 'symbol') return reply;
        lost = reply;
        throw new Error('The reply was dropped.');
      },
      serve,
    );
    try {
      return await chain();
    } catch (error) {
      if (lost) return lost;
      throw error;
    }
  }
}
