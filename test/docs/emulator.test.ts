import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { probes } from '../emulator/probes.ts';

const page = readFileSync('docs/emulator.md', 'utf8').replace(/ +\|/g, ' |');

test.each(Object.entries(probes))('docs/emulator.md tells of: %s', (claim, { works, note = '' }) => {
  expect(page).toContain(`| ${claim} | ${works ? 'works' : 'missing'} | ${note}`);
});
