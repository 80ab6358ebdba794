import type { Outcome } from '../lambda/sandbox.ts';
import { matches, type EventPattern } from './pattern.ts';
import type { StreamRecord } from './stream-record.ts';

export interface EventSourceMapping {
  EventSourceArn: string;
  FunctionName: string;
  BatchSize?: number;
  ParallelizationFactor?: number;
  BisectBatchOnFunctionError?: boolean;
  MaximumRecordAgeInSeconds?: number;
  FunctionResponseTypes?: string[];
  FilterCriteria?: { Filters: { Pattern: string }[] };
}

/** Comes between a table's stream and its function: may hold a batch back, deliver it twice, or not: it comes again. */
export type StreamHook = (records: StreamRecord[], deliver: () => Promise<void>) => Promise<void>;

export interface EventSourceOptions {
  mapping: EventSourceMapping;
  invoke: (records: StreamRecord[]) => Promise<Outcome>;
  /** All the hooks there are. */
  through: StreamHook;
  log: (line: string) => void;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * What Lambda does for one mapping: batches in the order of the stream, each again until it is done with or too old.
 * As many at once as the mapping says, but those of one item never.
 */
export class EventSource {
  private readonly lanes: StreamRecord[][];
  private readonly patterns: EventPattern[];
  private readonly busy = new Set<StreamRecord[]>();
  private closed = false;

  constructor(private readonly options: EventSourceOptions) {
    const { ParallelizationFactor = 1, FilterCriteria } = options.mapping;
    this.lanes = Array.from({ length: ParallelizationFactor }, () => []);
    this.patterns = (FilterCriteria?.Filters ?? []).map(({ Pattern }) => JSON.parse(Pattern) as EventPattern);
  }

  put(record: StreamRecord): void {
    if (this.patterns.length > 0 && !this.patterns.some((pattern) => matches(pattern, record))) return;
    const key = JSON.stringify(record.dynamodb.Keys);
    const hash = [...key].reduce((sum, character) => sum + character.charCodeAt(0), 0);
    const lane = this.lanes[hash % this.lanes.length]!;
    lane.push(record);
    if (!this.busy.has(lane)) void this.work(lane);
  }

  close(): void {
    this.closed = true;
  }

  private async work(lane: StreamRecord[]): Promise<void> {
    const { BatchSize = 100, BisectBatchOnFunctionError: bisects = false } = this.options.mapping;
    this.busy.add(lane);
    let size = BatchSize;
    let pauseMs = FIRST_PAUSE_MS;
    // What came in the same moment goes together.
    await new Promise(setImmediate);
    while (lane.length > 0 && !this.closed) {
      const batch = lane.slice(0, size);
      const { done, threw } = await this.deliver(batch);
      lane.splice(0, done);
      if (done === batch.length) {
        [size, pauseMs] = [BatchSize, FIRST_PAUSE_MS];
        continue;
      }
      if (threw && bisects) size = Math.ceil(batch.length / 2);
      await new Promise((awake) => setTimeout(awake, pauseMs).unref());
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      this.dropTooOld(lane);
    }
    this.busy.delete(lane);
  }

  /** @returns how many records, from the first on, need not come again */
  private async deliver(batch: StreamRecord[]): Promise<{ done: number; threw: boolean }> {
    let [done, threw] = [0, false];
    const once = async (): Promise<void> => {
      if (this.closed) return;
      const outcome = await this.options.invoke(batch);
      threw = 'error' in outcome;
      done = 'error' in outcome ? 0 : this.doneOf(batch, outcome.payload);
    };
    await this.options.through(batch, once).catch((error: unknown) => this.options.log(String(error)));
    return { done, threw };
  }

  private doneOf(batch: StreamRecord[], payload: string): number {
    const { FunctionResponseTypes: responses = [] } = this.options.mapping;
    if (!responses.includes('ReportBatchItemFailures')) return batch.length;
    const { batchItemFailures = [] } = (JSON.parse(payload) ?? {}) as {
      batchItemFailures?: { itemIdentifier: string }[];
    };
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = batch.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    return first === -1 ? batch.length : first;
  }

  private dropTooOld(lane: StreamRecord[]): void {
    const { MaximumRecordAgeInSeconds: limit = -1, FunctionName: name } = this.options.mapping;
    if (limit < 0) return;
    const oldest = Date.now() / 1000 - limit;
    const kept = lane.filter(({ dynamodb }) => dynamodb.ApproximateCreationDateTime > oldest);
    if (kept.length === lane.length) return;
    this.options.log(`${lane.length - kept.length} records of a stream went to the dead letters of ${name}`);
    lane.splice(0, lane.length, ...kept);
  }
}
