import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { useEngine } from '../support/engine.ts';
import { answersOf } from './answers.ts';
import { reader2025, reader2026, type Answers, type Reader } from './readers.ts';

/** The guide's table is what this run finds. To write it anew: UPDATE_GUIDE=1 npx jest test/migration */
const GUIDE = 'docs/migration.md';
const START = '<!-- what the readers make of the answers: written by test/migration -->';
const END = '<!-- end -->';

const engine = useEngine();
let answers: Record<'2025' | '2026', Answers>;
beforeAll(async () => {
  answers = await answersOf(engine);
});

/** What a client should come to know, whichever revision it reads. */
const ROWS: { name: string; reads: keyof Reader; right: unknown }[] = [
  { name: '1. start, having asked for a task', reads: 'startOfTask', right: 'task string' },
  { name: '1. start, read as a plain result', reads: 'startOfCall', right: 'task string' },
  { name: '2. lifetime and poll interval', reads: 'times', right: { lifetime: 7_200_000, poll: 'number' } },
  { name: '3. result', reads: 'result', right: 'Lift-off after 0 seconds.' },
  { name: '4. tool error', reads: 'toolError', right: 'error' },
  { name: '5. question', reads: 'question', right: 'Delete 1 of 1 records for good?' },
  { name: '6. cancel', reads: 'cancel', right: 'acknowledged' },
  { name: '6. cancel after the end', reads: 'lateCancel', right: 'it had ended' },
  { name: '7. list', reads: 'list', right: 'some tasks' },
];

const verdict = (reader: Reader, { reads, right }: (typeof ROWS)[number], of: Answers): string => {
  try {
    return JSON.stringify(reader[reads](of)) === JSON.stringify(right) ? 'right' : '**silently wrong**';
  } catch {
    return 'throws';
  }
};

const table = (): string =>
  [
    '| what is read | 2025 reader, 2025 answer | 2025 reader, 2026 answer | 2026 reader, 2025 answer | 2026 reader, 2026 answer |',
    '| --- | --- | --- | --- | --- |',
    ...ROWS.map((row) => {
      const cells = [reader2025, reader2026].flatMap((reader) =>
        [answers['2025'], answers['2026']].map((of) => verdict(reader, row, of)),
      );
      return `| ${row.name} | ${cells.join(' | ')} |`;
    }),
  ].join('\n');

/** The formatter aligns the table's columns; what counts are its cells. */
const cellsOf = (text: string): string[] =>
  text.split('\n').map((line) => line.replace(/-{3,}/g, '---').replace(/ +/g, ' ').trim());

test('each reader is right about its own revision, but for the list, which this server has on neither', () => {
  for (const row of ROWS.filter(({ reads }) => reads !== 'list' && reads !== 'startOfCall')) {
    expect([row.name, verdict(reader2025, row, answers['2025'])]).toEqual([row.name, 'right']);
    expect([row.name, verdict(reader2026, row, answers['2026'])]).toEqual([row.name, 'right']);
  }
});

test('an old reader would take a task for an empty success', () => {
  expect(reader2025.startOfCall(answers['2026'])).toBe('success with 0 blocks');
});

test('what is gone is gone loudly', () => {
  expect(answers['2026'].result.error?.code).toBe(-32601);
  expect(answers['2026'].list.error?.code).toBe(-32601);
  expect(answers['2025'].list.error?.code).toBe(-32601);
  expect(answers['2026'].plainHeaders.error?.code).toBe(-32020);
});

test('the guide’s table is the one that this run finds', () => {
  const guide = readFileSync(GUIDE, 'utf8');
  const [before, rest = ''] = guide.split(START);
  const [written, after] = rest.split(END);
  if (process.env['UPDATE_GUIDE']) {
    writeFileSync(GUIDE, `${before}${START}\n\n${table()}\n\n${END}${after}`);
  } else {
    expect(cellsOf(written!.trim())).toEqual(cellsOf(table()));
  }
});
