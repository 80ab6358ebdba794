import { localContext } from '../../local/local-context.ts';
import { synthesize } from '../../local/synth.ts';
import { ISSUER_TO_COME } from './issuer-to-come.ts';

/**
 * Every suite runs the same synthesised stack, the one that `cdk deploy` would deploy: open, or asking for tokens.
 * Those of test/faults run it with tools that a test can drive, others with the fixtures of the official suite.
 */
const globalSetup = async (): Promise<void> => {
  const [app, withTokens, faults, conformance] = await Promise.all([
    synthesize({ context: localContext() }),
    synthesize({ context: localContext({ url: ISSUER_TO_COME }) }),
    synthesize({ app: 'test/faults/app.ts' }),
    synthesize({ app: 'test/conformance/app.ts', context: { ...localContext(), waitSeconds: 3 } }),
  ]);
  process.env['TEST_ASSEMBLY'] = app.directory;
  process.env['TEST_ASSEMBLY_AUTH'] = withTokens.directory;
  process.env['FAULTS_ASSEMBLY'] = faults.directory;
  process.env['CONFORMANCE_ASSEMBLY'] = conformance.directory;
};

export default globalSetup;
