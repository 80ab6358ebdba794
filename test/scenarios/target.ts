import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A deployed server to run scenarios against: the embedded engine, an emulator, or AWS. */
export interface Target {
  mcpUrl: string;
  /** Sent with every request; `Authorization` where the server wants it. */
  headers?: Record<string, string>;
  documents: DynamoDBDocumentClient;
  /** Physical name of the Records table. */
  recordsTable: string;
}

/** Runner-neutral: rejects when the server does not do what it should. */
export type Scenario = (target: Target) => Promise<void>;
