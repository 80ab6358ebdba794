import { localContext } from '../../local/local-context.ts';
import { synthesize } from '../../local/synth.ts';
import { ISSUER_TO_COME } from './issuer-to-come.ts';

/** Every suite runs the same synthesised stack, the one that `cdk deploy` would deploy: open, or asking for tokens. */
const globalSetup = async (): Promise<void> => {
  const [open, withTokens] = await Promise.all([
    synthesize({ context: localContext() }),
    synthesize({ context: localContext({ url: ISSUER_TO_COME }) }),
  ]);
  process.env['TEST_ASSEMBLY'] = open.directory;
  process.env['TEST_ASSEMBLY_AUTH'] = withTokens.directory;
};

export default globalSetup;
