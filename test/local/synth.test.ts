import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { startEngine } from '../../local/engine.ts';
import { removeAssembly, synthesize } from '../../local/synth.ts';

const app = 'test/local/fixture/app.ts';

test('a synthesised app runs', async () => {
  const assembly = await synthesize({ app });
  try {
    const worker = Object.values(assembly.template.Resources).find(
      ({ Type }) => Type === 'AWS::Lambda::Function',
    );
    expect(worker?.Metadata).toHaveProperty('aws:asset:path');
    const engine = await startEngine({ assembly });
    expect(engine.tableNames).toEqual([expect.stringMatching(/^Rows/)]);
    await engine.close();
  } finally {
    removeAssembly(assembly);
  }
  expect(existsSync(assembly.directory)).toBe(false);
});

test('an app that fails says what it said', async () => {
  await expect(synthesize({ app, context: { problem: 'auth: choose one' } })).rejects.toThrow(
    /auth: choose one/,
  );
});
