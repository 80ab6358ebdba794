import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { demoRecords, seed } from '../../tools/run_migration/demo/records.ts';
import { useEngine, type TestEngine } from '../support/engine.ts';
import { call, startTask } from '../support/wire/request.ts';
import { listen, tells, type Frame } from '../support/wire/stream.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/listen.md');
const BLOCK = /(?<=<!-- transcript -->\n\n```text\n)[^]*?(?=```\n)/;

/** Lets the workflow write one step at a time, so that a stream which looks once a second misses none. */
const steps = (engine: TestEngine) => {
  let allowed = 0;
  let looking: Promise<void> | undefined;
  const waiting: (() => void)[] = [];
  const written: string[] = [];
  engine.interceptAwsCalls(async ({ caller, operation }, proceed) => {
    if (caller.startsWith('Endpoint') && operation === 'GetItem') await looking;
    if (caller !== 'workflow') return proceed();
    if (allowed > 0) allowed -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    const reply = await proceed();
    written.push(operation);
    return reply;
  });
  const allow = (count: number): void => {
    for (let left = count; left > 0; left -= 1) {
      const go = waiting.shift();
      if (go) go();
      else allowed += 1;
    }
  };
  return {
    allow,
    /** Several writes that a stream takes for one: nobody looks before the last. */
    async allowAtOnce(count: number): Promise<void> {
      let look!: () => void;
      looking = new Promise((go) => (look = go));
      const goal = written.length + count;
      allow(count);
      while (written.length < goal) await new Promise(setImmediate);
      look();
      looking = undefined;
    },
  };
};

/** What differs from run to run, written as if it did not. */
const normalized = (frames: Frame[]): string => {
  const ids: string[] = [];
  const times: string[] = [];
  const text = frames
    .map((frame) =>
      'message' in frame ? `event: message\ndata: ${JSON.stringify(frame.message)}\n` : `${frame.comment}\n`,
    )
    .join('\n');
  const index = (list: string[], value: string): number =>
    list.includes(value) ? list.indexOf(value) : list.push(value) - 1;
  return text
    .replace(/tsk_[\w-]{22}/g, 'tsk_JUbVHDMWTSGdOnG7fBrYIQ')
    .replace(
      /confirm_delete-[0-9a-f-]{36}/g,
      (id) => `confirm_delete-${'0'.repeat(7)}${index(ids, id) + 1}-…`,
    )
    .replace(
      /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      (time) => `2026-07-28T12:00:${String(index(times, time)).padStart(2, '0')}.000Z`,
    )
    .replace(/"pollIntervalMs":\d+/g, '"pollIntervalMs":500');
};

const engine = useEngine();

test('the transcript in docs/listen.md is what a stream says', async () => {
  await seed(engine.documents, engine.table('Records'), demoRecords().slice(0, 60));
  const workflow = steps(engine);

  const taskId = await startTask(engine.mcpUrl, 'run_migration', { migration: 'retire_free_plan' });
  const stream = await listen(engine.mcpUrl, [taskId], { id: 7 });
  await stream.until(tells('working'));

  workflow.allow(1);
  const question = (await stream.until(tells('input_required'))).at(-1)!;
  const inputResponses = Object.fromEntries(
    Object.keys(question.params.inputRequests).map((key) => [
      key,
      { action: 'accept', content: { confirm: true } },
    ]),
  );
  await call(engine.mcpUrl, 'tasks/update', { taskId, inputResponses });
  await stream.until(tells('working'));

  await workflow.allowAtOnce(2);
  await stream.until(tells('working'));
  workflow.allow(10);
  await stream.rest();

  const transcript = normalized(stream.frames);
  const document = readFileSync(DOCUMENT, 'utf8');
  if (process.env['UPDATE_DOCS']) writeFileSync(DOCUMENT, document.replace(BLOCK, transcript));
  else expect(BLOCK.exec(document)?.[0]).toBe(transcript);
  expect(stream.frames).toHaveLength(7);
});
