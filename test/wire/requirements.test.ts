import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { requirements } from '../requirements.ts';

const TEST = join(import.meta.dirname, '..');
const CITATION = /\[([A-Z]+-\d+)\]/g;

/** Ids in the tests' own words, with the files that cite them. */
const cited = new Map<string, string[]>();
for (const file of readdirSync(TEST, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.test.ts')) continue;
  for (const [, id] of readFileSync(join(TEST, file), 'utf8').matchAll(CITATION)) {
    cited.set(id!, [...(cited.get(id!) ?? []), file]);
  }
}

const of = (level: string) => Object.entries(requirements).filter(([, each]) => each.level === level);

describe('the table of requirements', () => {
  test('tests cite what is in it', () => {
    const unknown = [...cited].filter(([id]) => !(id in requirements));
    expect(unknown).toEqual([]);
  });

  test.each(of('MUST'))('%s is cited, or the table says why it is open', (id, { open }) => {
    if (open === undefined) expect(cited.has(id)).toBe(true);
    else expect(open.length).toBeGreaterThan(20);
  });

  test.each(of('SHOULD'))('%s is cited, or the table says why it is not met', (id, { open }) => {
    if (open === undefined) expect(cited.has(id)).toBe(true);
    else expect(open.length).toBeGreaterThan(20);
  });

  test('what tests cite is not called open', () => {
    const stale = [...cited.keys()].filter((id) => requirements[id]?.open !== undefined);
    expect(stale).toEqual([]);
  });

  test('each sentence has the word of its level, and a link', () => {
    for (const [id, { level, sentence, link }] of Object.entries(requirements)) {
      const says = /\b(MUST|SHOULD)\b/.exec(sentence)?.[1];
      if (says !== undefined && level === 'SHOULD') expect([id, says]).toEqual([id, level]);
      expect(link).toMatch(
        /^https:\/\/(modelcontextprotocol\.io\/specification\/2026-07-28|github\.com\/modelcontextprotocol\/ext-tasks)/,
      );
    }
  });
});
