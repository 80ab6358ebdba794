import { endOfExecution } from '../protocol/execution-end.ts';
import type { Log } from '../protocol/errors.ts';
import type { EndedExecution, ExecutionInput, TaskStore, Workflows } from '../protocol/ports.ts';
import type { TaskMetrics } from '../aws/task-metrics.ts';
import { howItEnded } from './how-it-ended.ts';
import type { StatusChange } from './status-change.ts';

/**
 * Closes the record of an execution that ended without closing it. Nearly always it did, and then the conditional
 * write changes nothing: which also makes an event harmless that comes twice, or late.
 */
export const reconcile = async (
  change: StatusChange,
  store: TaskStore,
  workflows: Pick<Workflows, 'describe'>,
  log: Log,
  metrics: Pick<TaskMetrics, 'ended' | 'reconciled'>,
): Promise<void> => {
  const execution = isWhole(change) ? change : await workflows.describe(change.executionArn);
  // Redriven meanwhile, or forgotten.
  if (execution.status === 'running' || execution.status === 'missing') return;
  const { task } = JSON.parse(execution.input ?? '{}') as Partial<ExecutionInput>;
  if (task === undefined) {
    log.warn('An execution that no task started', { executionArn: change.executionArn });
    return;
  }
  const stopped = change.stopDate ?? Date.now();
  metrics.ended(task.tool, howItEnded(execution), stopped - Date.parse(task.createdAt));
  const end = { ...endOfExecution(execution), lastUpdatedAt: new Date().toISOString() };
  const closed = await store.close({ tenant: task.tenant, taskId: task.id }, end);
  if (!closed) return;
  metrics.reconciled(task.tool);
  const { error, cause } = execution;
  log.error('Closed a task that its workflow had not closed', {
    taskId: task.id,
    tool: task.tool,
    execution: execution.status,
    error,
    cause,
  });
};

const isWhole = ({ status, input, output }: EndedExecution): boolean =>
  input !== undefined && (status !== 'succeeded' || output !== undefined);
