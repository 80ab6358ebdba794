import { ProtocolError, step } from '../../lambdas/step/index.ts';

export const handler = step(async () => {
  throw new ProtocolError(-32602, 'There is no ledger of that name.');
});
