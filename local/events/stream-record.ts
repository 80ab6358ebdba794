import { randomUUID } from 'node:crypto';
import { REGION } from '../template-names.ts';

type Item = Record<string, unknown>;

/** A record of a table's stream with NEW_IMAGE, as Lambda is given it. Values are in DynamoDB's JSON. */
export interface StreamRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY';
  dynamodb: {
    /** Epoch seconds. */
    ApproximateCreationDateTime: number;
    Keys: Item;
    NewImage: Item;
    SequenceNumber: string;
    [member: string]: unknown;
  };
  [member: string]: unknown;
}

let sequence = 0;

export const streamRecord = (
  streamArn: string,
  eventName: StreamRecord['eventName'],
  keyNames: readonly string[],
  item: Item,
): StreamRecord => ({
  eventID: randomUUID().replaceAll('-', ''),
  eventName,
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: REGION,
  dynamodb: {
    ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
    Keys: Object.fromEntries(keyNames.map((name) => [name, item[name]])),
    NewImage: item,
    SequenceNumber: String((sequence += 1)).padStart(21, '0'),
    SizeBytes: Buffer.byteLength(JSON.stringify(item)),
    StreamViewType: 'NEW_IMAGE',
  },
  eventSourceARN: streamArn,
});
