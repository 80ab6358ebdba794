import { afterAll } from '@jest/globals';
import { startIssuer, type LocalIssuer } from '../../local/issuer.ts';
import { readAssembly } from '../../local/synth.ts';
import { useEngine, type TestEngine } from './engine.ts';
import { ISSUER_TO_COME } from './issuer-to-come.ts';

/** An engine that asks for tokens, as `npm start -- --auth` runs it, and the issuer that makes them. */
export const useAuthEngine = (): { engine: TestEngine; issuer: LocalIssuer } => {
  const suite = {} as { engine: TestEngine; issuer: LocalIssuer };
  suite.engine = useEngine({}, async () => {
    suite.issuer = await startIssuer();
    const { directory, template } = readAssembly(process.env['TEST_ASSEMBLY_AUTH']!);
    const text = JSON.stringify(template).replaceAll(ISSUER_TO_COME, suite.issuer.url);
    return { directory, template: JSON.parse(text) };
  });
  afterAll(async () => suite.issuer?.close());
  return suite;
};
