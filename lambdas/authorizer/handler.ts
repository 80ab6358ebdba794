import { Logger } from '@aws-lambda-powertools/logger';
import { authorizeWith } from './authorize.ts';
import { authorizerEnvironment } from './environment.ts';
import { verifierFor } from './verify-token.ts';

const environment = authorizerEnvironment.parse(process.env);

/** Made once per execution environment, and with it the cache of the issuer's keys. */
export const handler = authorizeWith(
  verifierFor(environment),
  environment,
  new Logger({ serviceName: 'authorizer' }),
);
