import type { ServerContext } from '@modelcontextprotocol/server';
import type { TaskRecord } from './task.ts';

/** Tells a caller who gave a progress token what the task says of itself (basic/utilities/progress). */
export const reportProgress = ({ mcpReq }: ServerContext): ((task: TaskRecord) => Promise<void>) => {
  const progressToken = mcpReq._meta?.progressToken;
  const start = Date.now();
  let told: string | undefined;
  return async ({ statusMessage }) => {
    if (progressToken === undefined || statusMessage === undefined || statusMessage === told) return;
    told = statusMessage;
    // It must grow, and how much there is to do only the tool knows: so it counts seconds.
    const progress = (Date.now() - start) / 1_000;
    const params = { progressToken, progress, message: statusMessage };
    await mcpReq.notify({ method: 'notifications/progress', params });
  };
};
