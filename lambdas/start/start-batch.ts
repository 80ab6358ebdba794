import type { Log } from '../protocol/errors.ts';
import { queuedRecord } from './queued-record.ts';
import { startQueued, type StarterPorts } from './start-queued.ts';

/**
 * Starts the tasks of a batch, all at once. What fails is named, and comes again from there on:
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export const startBatch = async (
  records: readonly unknown[],
  ports: StarterPorts,
  log: Log,
): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> => {
  const failures = await Promise.all(
    records.map(async (record) => {
      const { SequenceNumber: itemIdentifier, NewImage: ref } = queuedRecord.parse(record).dynamodb;
      try {
        await startQueued(ref, ports, log);
        return [];
      } catch (error) {
        log.warn('Could not start a task yet', { taskId: ref.taskId, error });
        return [{ itemIdentifier }];
      }
    }),
  );
  return { batchItemFailures: failures.flat() };
};
