import { detailedTask } from '../lambdas/protocol/wire.ts';
import type { TaskRecord } from '../lambdas/protocol/task.ts';
import type { Usage } from './measure.ts';
import { pollCost, prices, reconcileCost, requestCost, stepCost } from './prices.ts';

const BEGIN = '<!-- Counted by `npm run cost`; a test checks that it is current. -->';
const END = '<!-- Until here. -->';

/** The page with its tables made anew; what people wrote around them stays. */
export const withTables = (page: string, usages: Record<string, Usage>): string => {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < 0) throw new Error('docs/cost.md has lost the marks around its tables');
  const tables = [taskTable(usages), pollTable()].join('\n\n');
  return `${page.slice(0, before)}${BEGIN}\n\n${tables}\n\n${page.slice(after)}`;
};

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

const costOf = ({ requests, transitions, steps, writes, reads, own }: Usage): number =>
  requests * requestCost +
  transitions * prices.transition +
  steps * stepCost +
  (writes + own.writes) * prices.write +
  (reads + own.reads) * prices.read +
  reconcileCost;

const taskTable = (usages: Record<string, Usage>): string =>
  table(
    [
      'one task',
      'states entered',
      'requests',
      'Lambda steps',
      'record writes',
      'record reads',
      'the tool’s own writes, reads',
      '1,000 such tasks',
      'of it for states',
    ],
    Object.entries(usages).map(([name, usage]) => [
      name,
      ...[usage.transitions, usage.requests, usage.steps, usage.writes, usage.reads].map(String),
      `${usage.own.writes}, ${usage.own.reads}`,
      dollars(1_000 * costOf(usage)),
      dollars(1_000 * usage.transitions * prices.transition),
    ]),
  );

const LIVES: [name: string, seconds: number][] = [
  ['10 seconds', 10],
  ['1 minute', 60],
  ['10 minutes', 600],
  ['1 hour', 3_600],
  ['1 day', 86_400],
];

/** As often as the server suggests: less and less often. */
const polls = (lifeMs: number): number => {
  const task = {
    status: 'working',
    createdAt: new Date(0).toISOString(),
    pollIntervalMs: 1_000,
    ttlMs: null,
    inputs: {},
  };
  let count = 0;
  for (let now = 0; now < lifeMs; count += 1) {
    now += detailedTask(task as unknown as TaskRecord, now).pollIntervalMs ?? lifeMs;
  }
  return count;
};

const pollTable = (): string =>
  table(
    [
      'a task lives for',
      'polls, first after a second',
      'at a fixed second',
      '1,000 such tasks',
      'at a fixed second',
    ],
    LIVES.map(([name, seconds]) => [
      name,
      String(polls(seconds * 1_000)),
      String(seconds),
      dollars(1_000 * polls(seconds * 1_000) * pollCost),
      dollars(1_000 * seconds * pollCost),
    ]),
  );
