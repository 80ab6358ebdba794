import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seed } from './records.ts';

/** `npm run demo:seed [URL]`: the demo's records for a server that runs on this machine. Never for a stack on AWS. */
const endpoint = process.argv[2] ?? 'http://127.0.0.1:3000';
// The AWS SDK would say in every run that it is going to want a newer Node.js.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
const { TableNames = [] } = await client.send(new ListTablesCommand());
const table = TableNames.find((name) => name.includes('Records'));
if (table === undefined) throw new Error(`${endpoint} has no table of records`);
await seed(DynamoDBDocumentClient.from(client), table);
console.log(`342 records in ${table}`);
