import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { CustomerRecord } from '../migrations.ts';

const FIRST = [
  'Ada',
  'Grace',
  'Linus',
  'Barbara',
  'Edsger',
  'Frances',
  'Donald',
  'Margaret',
  'Alan',
  'Katherine',
];
const LAST = ['Lovelace', 'Hopper', 'Torvalds', 'Liskov', 'Dijkstra', 'Allen', 'Knuth', 'Hamilton', 'Turing'];
const PLANS = ['free', 'starter', 'team', 'business'];

/** 342 customers, always the same: 47 closed accounts, and every fourth on the free plan. */
export const demoRecords = (): CustomerRecord[] =>
  Array.from({ length: 342 }, (_, index) => {
    const first = FIRST[index % FIRST.length]!;
    const last = LAST[index % LAST.length]!;
    return {
      id: `cus_${String(index).padStart(4, '0')}`,
      version: 1,
      email: `${first}.${last}${index}@example.com`,
      plan: PLANS[index % PLANS.length]!,
      status: index % 7 === 3 && index < 47 * 7 ? 'closed' : 'active',
    };
  });

/** Writes records into the table, 25 at a time as BatchWriteItem allows. */
export const seed = async (
  client: DynamoDBDocumentClient,
  tableName: string,
  records = demoRecords(),
): Promise<void> => {
  for (let start = 0; start < records.length; start += 25) {
    const requests = records.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  }
};
