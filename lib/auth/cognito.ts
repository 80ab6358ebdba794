import { Aws, CfnOutput, Duration, Fn, Validations } from 'aws-cdk-lib';
import type { MethodOptions } from 'aws-cdk-lib/aws-apigateway';
import {
  AccountRecovery,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  type UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import { acceptTokens } from './accept-tokens.ts';
import type { Authentication, ProtectedApi } from './authentication.ts';

const RESOURCE_SERVER = 'mcp';
const USE_TOOLS = new ResourceServerScope({
  scopeName: 'tools',
  scopeDescription: 'Use the tools of this MCP server.',
});
const SCOPE = `${RESOURCE_SERVER}/${USE_TOOLS.scopeName}`;

/** A user pool of this stack: people sign in (authorization code with PKCE), machines have a secret. */
export class CognitoAuthentication extends Construct implements Authentication {
  private readonly pool: UserPool;
  private readonly clients: UserPoolClient[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.pool = this.userPool();
    const domain = this.pool.addDomain('Domain', { cognitoDomain: { domainPrefix: uniquePrefix() } });
    const { people, machines } = this.addClients();
    this.clients = [people, machines];

    new CfnOutput(this, 'SignIn', { value: domain.baseUrl(), description: 'People sign in here.' });
    new CfnOutput(this, 'TokenUrl', { value: `${domain.baseUrl()}/oauth2/token` });
    new CfnOutput(this, 'UserPoolId', { value: this.pool.userPoolId });
    new CfnOutput(this, 'PeopleClientId', { value: people.userPoolClientId });
    new CfnOutput(this, 'MachineClientId', {
      value: machines.userPoolClientId,
      description: 'Its secret: aws cognito-idp describe-user-pool-client --user-pool-id … --client-id …',
    });
  }

  protect(api: ProtectedApi): MethodOptions {
    const ids = this.clients.map(({ userPoolClientId }) => userPoolClientId);
    return acceptTokens(this, api, {
      // ProviderURL by another name, which the emulator of the deployment test knows, too.
      issuer: `https://${this.pool.userPoolProviderName}`,
      scopes: [SCOPE],
      tokens: {
        TOKENS: 'cognito',
        USER_POOL_ID: this.pool.userPoolId,
        CLIENT_IDS: [...ids, ...settingsOf(this).clientIds].join(' '),
        RESOURCE: api.mcpUrl,
      },
    });
  }

  private userPool(): UserPool {
    const { protectData, dataRemoval } = settingsOf(this);
    const pool = new UserPool(this, 'Users', {
      signInAliases: { email: true },
      signInCaseSensitive: false,
      // Whoever runs the server decides who may use it: aws cognito-idp admin-create-user.
      selfSignUpEnabled: false,
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
      },
      // The first plan that puts a requested resource into `aud` of access tokens.
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: protectData,
      removalPolicy: dataRemoval,
    });
    Validations.of(pool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason: 'Threat protection of the Plus plan costs per user. People sign in with a second factor.',
    });
    return pool;
  }

  private addClients() {
    const server = this.pool.addResourceServer('Server', {
      identifier: RESOURCE_SERVER,
      scopes: [USE_TOOLS],
    });
    const useTools = OAuthScope.resourceServer(server, USE_TOOLS);
    const common = {
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      accessTokenValidity: Duration.hours(1),
    };
    return {
      /** Public, as apps and pages cannot keep a secret. Cognito takes PKCE from it (S256). */
      people: this.pool.addClient('People', {
        ...common,
        generateSecret: false,
        authFlows: {},
        refreshTokenValidity: Duration.days(30),
        oAuth: {
          flows: { authorizationCodeGrant: true },
          scopes: [useTools, OAuthScope.OPENID],
          callbackUrls: settingsOf(this).callbackUrls,
        },
      }),
      /** Its secret is made by Cognito and stays there: it is neither in the template nor in an output. */
      machines: this.pool.addClient('Machines', {
        ...common,
        generateSecret: true,
        authFlows: {},
        oAuth: { flows: { clientCredentials: true }, scopes: [useTools] },
      }),
    };
  }
}

/** Domain prefixes are one namespace for all the world; the last part of a stack's id is as unique. */
const uniquePrefix = (): string => `mcp-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;
