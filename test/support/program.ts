import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { build } from 'esbuild';
import { ONE_MODULE } from '../../lib/one-module.ts';

/**
 * A program that a suite starts again and again, in a directory of its own: as one bundle it starts in a fraction of
 * the time that it takes from its sources.
 */
export const useProgram = (entry: string): { file: string; directory: string } => {
  const program = { file: '', directory: '' };
  beforeAll(async () => {
    program.directory = mkdtempSync(join(tmpdir(), 'program-'));
    program.file = join(program.directory, 'program.mjs');
    await build({
      entryPoints: [entry],
      outfile: program.file,
      ...ONE_MODULE,
      logLevel: 'error',
    });
  });
  afterAll(() => rmSync(program.directory, { recursive: true, force: true }));
  return program;
};
