import type { Construct } from 'constructs';
import { settingsOf, type Settings } from '../settings.ts';
import type { Authentication } from './authentication.ts';
import { CognitoAuthentication } from './cognito.ts';
import { IamAuthentication } from './iam.ts';
import { JwtAuthentication } from './jwt.ts';
import { NoAuthentication } from './none.ts';

export type { Authentication } from './authentication.ts';

const modes: Record<Settings['auth'], new (scope: Construct, id: string) => Authentication> = {
  cognito: CognitoAuthentication,
  jwt: JwtAuthentication,
  iam: IamAuthentication,
  none: NoAuthentication,
};

/** The mode that the settings name. */
export const authenticationFor = (scope: Construct): Authentication =>
  new modes[settingsOf(scope).auth](scope, 'Authentication');
