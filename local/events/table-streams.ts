import type { AwsReply } from '../aws/calls.ts';
import type { Functions } from '../lambda/functions.ts';
import type { ResolvedTemplate } from '../template.ts';
import { EventSource, type EventSourceMapping, type StreamHook } from './event-source.ts';
import { streamRecord } from './stream-record.ts';

interface TableProperties {
  KeySchema: { AttributeName: string }[];
  StreamSpecification?: { StreamViewType: string };
}

interface TableStream {
  arn: string;
  keyNames: string[];
  sources: EventSource[];
}

interface Put {
  TableName: string;
  Item: Record<string, unknown>;
  ReturnValues?: string;
}

export interface TableStreamsOptions {
  template: ResolvedTemplate;
  functions: Functions;
  log: (source: string, line: string) => void;
}

/** The streams of the template's tables, and the functions they are mapped to. They carry what PutItem wrote, no more. */
export class TableStreams {
  private readonly byTable = new Map<string, TableStream>();
  private hooks: StreamHook[] = [];

  constructor({ template, functions, log }: TableStreamsOptions) {
    const mappings = template.resources<EventSourceMapping>('AWS::Lambda::EventSourceMapping');
    for (const { arn, properties } of template.resources<TableProperties>(
      'AWS::DynamoDB::Table',
      'AWS::DynamoDB::GlobalTable',
    )) {
      if (properties.StreamSpecification === undefined) continue;
      const streamArn = `${arn}/stream/local`;
      this.byTable.set(arn.slice(arn.lastIndexOf('/') + 1), {
        arn: streamArn,
        keyNames: properties.KeySchema.map(({ AttributeName }) => AttributeName),
        sources: mappings
          .filter(({ properties: { EventSourceArn } }) => EventSourceArn === streamArn)
          .map(
            ({ properties: mapping }) =>
              new EventSource({
                mapping,
                invoke: (Records) => functions.get(mapping.FunctionName).invoke({ Records }),
                through: (records, deliver) => this.through(records, deliver),
                log: (line) => log('engine', line),
              }),
          ),
      });
    }
  }

  /** Serves a PutItem, and streams it if it worked. */
  async put(body: Buffer, serve: (body: Buffer) => Promise<AwsReply>): Promise<AwsReply> {
    const put = JSON.parse(body.toString()) as Put;
    const stream = this.byTable.get(put.TableName);
    if (stream === undefined) return serve(body);
    // What was there before tells an insert from a replacement.
    const reply = await serve(Buffer.from(JSON.stringify({ ...put, ReturnValues: 'ALL_OLD' })));
    if (reply.status !== 200) return reply;
    const { Attributes: before, ...answer } = JSON.parse(reply.body) as { Attributes?: object };
    const record = streamRecord(stream.arn, before ? 'MODIFY' : 'INSERT', stream.keyNames, put.Item);
    for (const source of stream.sources) source.put(record);
    if (put.ReturnValues === 'ALL_OLD') return reply;
    const { 'x-amz-crc32': _, 'content-length': __, ...headers } = reply.headers;
    return { ...reply, headers, body: JSON.stringify(answer) };
  }

  /** Returns how to take the hook out again. */
  intercept(hook: StreamHook): () => void {
    this.hooks.push(hook);
    return () => {
      this.hooks = this.hooks.filter((other) => other !== hook);
    };
  }

  close(): void {
    for (const { sources } of this.byTable.values()) for (const source of sources) source.close();
  }

  private through(...[records, deliver]: Parameters<StreamHook>): Promise<void> {
    return this.hooks.reduce<() => Promise<void>>((next, hook) => () => hook(records, next), deliver)();
  }
}
