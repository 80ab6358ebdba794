import * as z from 'zod';

const words = z.string().transform((text) => text.split(' ').filter(Boolean));

const common = {
  /** Scopes a token must carry, separated by spaces: all of them. */
  SCOPES: words,
  /** The claim that names the tenant; without one, whoever the token is for. */
  TENANT_CLAIM: z.string().min(1).optional(),
};

/** What the authorizer needs to know, per kind of token. */
export const authorizerEnvironment = z.discriminatedUnion('TOKENS', [
  z.object({
    ...common,
    TOKENS: z.literal('cognito'),
    USER_POOL_ID: z.string(),
    /** Clients of the pool whose tokens are accepted, separated by spaces. */
    CLIENT_IDS: words,
    /** This server's URL: what a token that names an audience must name. */
    RESOURCE: z.string(),
  }),
  z.object({
    ...common,
    TOKENS: z.literal('jwt'),
    ISSUER: z.string(),
    AUDIENCE: z.string(),
    /** Without one, the issuer's OpenID configuration tells. */
    JWKS_URL: z.string().optional(),
  }),
]);

export type AuthorizerEnvironment = z.output<typeof authorizerEnvironment>;
/** What the CDK side sets. */
export type AuthorizerVariables = z.input<typeof authorizerEnvironment>;
