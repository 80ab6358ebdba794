import { expect, test } from '@jest/globals';
import { startEngine } from '../../local/engine.ts';
import { readAssembly } from '../../local/synth.ts';
import { fixture } from './fixture/template.ts';

/** Every other suite starts its engine without looking at the definitions again. */
test.each(['TEST_ASSEMBLY', 'TEST_ASSEMBLY_AUTH', 'FAULTS_ASSEMBLY', 'CONFORMANCE_ASSEMBLY'])(
  '%s has valid state machines',
  async (name) => {
    const engine = await startEngine({ assembly: readAssembly(process.env[name]!) });
    await engine.close();
  },
);

test('what is no States Language is refused, and the machine named', async () => {
  const machine = { StartAt: 'Start', States: { Start: { Type: 'Pass', End: true, Resource: 'none' } } };
  await expect(startEngine({ assembly: fixture({ Odd: machine }) })).rejects.toThrow(/^Odd: /);
});
