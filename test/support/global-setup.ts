import { localContext, synthesize } from '../../local/synth.ts';

/**
 * Every suite runs the same synthesised stack, the one that `cdk deploy` would deploy; those of test/faults run it
 * with tools that a test can drive.
 */
const globalSetup = async (): Promise<void> => {
  const [app, faults] = await Promise.all([
    synthesize({ context: localContext }),
    synthesize({ app: 'test/faults/app.ts' }),
  ]);
  process.env['TEST_ASSEMBLY'] = app.directory;
  process.env['FAULTS_ASSEMBLY'] = faults.directory;
};

export default globalSetup;
