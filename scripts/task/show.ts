import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ExecutionInput } from '../../lambdas/protocol/ports.ts';
import type { OpenInput, TaskRecord } from '../../lambdas/protocol/task.ts';
import { age } from './age.ts';
import { executionOf, type Deployment } from './deployment.ts';

/** The record as it is, without what may answer its questions, and the execution beside it. */
export const show = async (deployment: Deployment, taskId: string): Promise<string[]> => {
  const {
    executionArn = '',
    status,
    startDate,
    stopDate,
    error,
    input,
  } = await executionOf(deployment, taskId);
  const record = await recordOf(deployment, input);
  const region = executionArn.split(':')[3];
  return [
    ...(record === undefined ? ['record      expired and deleted'] : describe(record)),
    `execution   ${status}, started ${startDate?.toISOString()}${stopDate ? `, ended ${stopDate.toISOString()}` : ''}`,
    ...(error ? [`error       ${error} (npm run task -- history ${taskId})`] : []),
    `console     https://${region}.console.aws.amazon.com/states/home?region=${region}#/v2/executions/details/${executionArn}`,
    ...(record?.status === 'working' && status !== 'RUNNING'
      ? ['contradiction: the execution has ended and the record has not been closed']
      : []),
  ];
};

export const recordOf = async (
  { documents, taskTable }: Deployment,
  input: string | undefined,
): Promise<TaskRecord | undefined> => {
  const { task } = JSON.parse(input ?? '{}') as Partial<ExecutionInput>;
  if (task === undefined) throw new Error('No task started this execution: its input names none.');
  const { Item } = await documents.send(
    new GetCommand({ TableName: taskTable, Key: { pk: task.key }, ConsistentRead: true }),
  );
  return Item as TaskRecord | undefined;
};

const describe = (record: TaskRecord): string[] => {
  const open = Object.entries(record.inputs);
  const status = record.status === 'working' && open.length > 0 ? 'input_required' : record.status;
  return [
    `status      ${status}${record.statusMessage ? `: ${record.statusMessage}` : ''}`,
    `tool        ${record.tool}`,
    `tenant      ${record.tenant}`,
    `created     ${record.createdAt} (${age(record.createdAt)} ago)`,
    `updated     ${record.lastUpdatedAt} (${age(record.lastUpdatedAt)} ago)`,
    ...open.map(([key, input]) => `question    ${key}: ${wordsOf(input)}${waiting(input)}`),
    ...(record.error ? [`answer      ${record.error}`] : []),
    ...(record.result ? [`answer      ${record.result}`] : []),
  ];
};

const wordsOf = ({ request }: OpenInput): string => {
  const { method, params } = JSON.parse(request) as { method: string; params?: { message?: string } };
  return params?.message ?? method;
};

const waiting = ({ askedAt }: OpenInput): string => (askedAt ? ` (open for ${age(askedAt)})` : '');
