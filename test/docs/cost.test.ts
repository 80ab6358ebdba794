import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { withTables } from '../../scripts/cost-page.ts';
import { measureAll } from '../../scripts/measure-all.ts';
import { useEngine } from '../support/engine.ts';

/** Prettier pads tables; what they say is the same. */
const unpadded = (page: string): string => page.replace(/-{3,}/g, '---').replace(/ +\|/g, ' |');

describe('docs/cost.md', () => {
  const engine = useEngine();

  test('says what `npm run cost` counts', async () => {
    const page = readFileSync('docs/cost.md', 'utf8');

    expect(unpadded(withTables(page, await measureAll(engine)))).toBe(unpadded(page));
  }, 60_000);
});
