import { localContext } from '../../local/local-context.ts';
import { synthesize } from '../../local/synth.ts';

/** Every suite runs the same synthesised stack, the one that `cdk deploy` would deploy. */
const globalSetup = async (): Promise<void> => {
  const { directory } = await synthesize({ context: localContext() });
  process.env['TEST_ASSEMBLY'] = directory;
};

export default globalSetup;
