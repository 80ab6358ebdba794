import { createHash } from 'node:crypto';
import type { TaskRef } from '../protocol/task.ts';
import type { Tasks } from '../protocol/tasks.ts';

interface Log {
  info(message: string, details: Record<string, unknown>): void;
}

/** Enough to follow one tenant through the logs, without naming them. */
const hash = (tenant: string): string => createHash('sha256').update(tenant).digest('hex').slice(0, 16);

/**
 * A line for everything that changes a task: which task, of which tool, whose. Never what was asked, answered or
 * found. Looking at a task changes nothing, and is most of the traffic.
 */
export const logTasks = (tasks: Tasks, log: Log, tenants: 'plain' | 'hashed'): Tasks => {
  const write = (message: string, { tenant, taskId }: TaskRef, tool?: string): void =>
    log.info(message, {
      taskId,
      ...(tool && { tool }),
      tenant: tenants === 'hashed' ? hash(tenant) : tenant,
    });

  return {
    ...tasks,
    async create(...args) {
      const task = await tasks.create(...args);
      write('Task created', task, task.tool);
      return task;
    },
    async update(ref, responses, malformed) {
      await tasks.update(ref, responses, malformed);
      write('Task answered', ref);
    },
    async cancel(ref) {
      await tasks.cancel(ref);
      write('Task cancelled', ref);
    },
  };
};
