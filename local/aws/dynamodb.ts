import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import dynalite from 'dynalite';
import type { ResolvedTemplate } from '../template.ts';
import type { AwsReply } from './calls.ts';

interface TableProperties {
  KeySchema: unknown;
  AttributeDefinitions: unknown;
  GlobalSecondaryIndexes?: IndexProperties[];
  LocalSecondaryIndexes?: IndexProperties[];
}

interface IndexProperties {
  IndexName: string;
  KeySchema: unknown;
  Projection: unknown;
}

/** DynamoDB, played by dynalite, without a port of its own: requests are handed to it one by one. */
export class DynamoDb {
  readonly tableNames: string[] = [];
  private readonly server;

  private constructor(path?: string) {
    this.server = dynalite({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  }

  /**
   * Starts with the tables of the template; those that exist already stay as they are.
   * @param path where tables are kept between runs; in memory without it
   */
  static async start(template: ResolvedTemplate, path?: string): Promise<DynamoDb> {
    const dynamoDb = new DynamoDb(path);
    try {
      await dynamoDb.createTables(template);
      return dynamoDb;
    } catch (error) {
      await dynamoDb.close();
      throw error;
    }
  }

  private async createTables(template: ResolvedTemplate): Promise<void> {
    const types = ['AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable'];
    for (const { arn, properties } of template.resources<TableProperties>(...types)) {
      const name = arn.slice(arn.lastIndexOf('/') + 1);
      this.tableNames.push(name);
      await this.createTable(name, properties);
    }
  }

  /** Serves one request of the DynamoDB API. */
  async serve(headers: IncomingHttpHeaders, body: Buffer | string): Promise<AwsReply> {
    const request = Object.assign(Readable.from([Buffer.from(body)]), { method: 'POST', url: '/', headers });
    const reply: AwsReply = { status: 200, headers: {}, body: '' };
    await new Promise<void>((done) => {
      this.server.emit('request', request, {
        set statusCode(status: number) {
          reply.status = status;
        },
        setHeader(name: string, value: unknown) {
          reply.headers[name.toLowerCase()] = String(value);
        },
        end(text = '') {
          reply.body = text;
          done();
        },
      });
    });
    return reply;
  }

  async close(): Promise<void> {
    // dynalite closes its store once its server has closed, and a server that never listened cannot close.
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    await new Promise<void>((done, fail) => this.server.close((error) => (error ? fail(error) : done())));
  }

  private async createTable(name: string, properties: TableProperties): Promise<void> {
    const indexes = (list?: IndexProperties[]) =>
      list?.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }));
    const { status, body } = await this.call('CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: properties.KeySchema,
      AttributeDefinitions: properties.AttributeDefinitions,
      GlobalSecondaryIndexes: indexes(properties.GlobalSecondaryIndexes),
      LocalSecondaryIndexes: indexes(properties.LocalSecondaryIndexes),
    });
    const exists = body.includes('ResourceInUseException');
    if (status !== 200 && !exists) throw new Error(`Table ${name} could not be created: ${body}`);
    while (!(await this.call('DescribeTable', { TableName: name })).body.includes('"ACTIVE"')) {
      await new Promise(setImmediate);
    }
  }

  private call(operation: string, input: unknown): Promise<AwsReply> {
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20260101T000000Z',
      // dynalite wants a signature to be there; it does not check it.
      authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=none',
    };
    return this.serve(headers, JSON.stringify(input));
  }
}
