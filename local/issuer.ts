import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { closeServer, listen, portOf, type Serve } from './http.ts';

/** What the tokens of this issuer are for. A URN: the port of the engine may change, the server is the same. */
export const AUDIENCE = 'urn:serverless-mcp-tasks:local';
export const SCOPE = 'mcp:tools';
/** Two people, and so two tenants. */
export const PEOPLE = ['alice', 'bob'] as const;

const LIFETIME = '1 hour';

interface Key {
  kid: string;
  privateKey: CryptoKey;
  publicJwk: JWK;
}

export interface LocalIssuer {
  url: string;
  /** An access token for a person: `claims` come over the usual ones, and undefined leaves one out. */
  token(subject: string, claims?: JWTPayload): Promise<string>;
  /** Signs with a new key from now on, and forgets the one before. */
  rotate(): Promise<void>;
  /** How often the keys have been asked for. */
  readonly keyRequests: number;
  readonly key: Key;
  close(): Promise<void>;
}

/**
 * An OpenID Connect issuer on this machine, as far as a resource server sees one: configuration, keys, tokens. Its
 * key is made anew with every start and never leaves the process. `GET /token/alice` is a token for Alice.
 */
export const startIssuer = async (port = 0, host = '127.0.0.1'): Promise<LocalIssuer> => {
  let key = await newKey();
  let keyRequests = 0;

  const token: LocalIssuer['token'] = (subject, claims = {}) =>
    new SignJWT({
      iss: url,
      sub: subject,
      client_id: 'local-client',
      aud: AUDIENCE,
      scope: SCOPE,
      jti: randomUUID(),
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'at+jwt' })
      .setIssuedAt(claims.iat)
      .setExpirationTime(claims.exp ?? LIFETIME)
      .sign(key.privateKey);

  const documents: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      jwks_uri: `${url}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/keys': () => {
      keyRequests += 1;
      return { keys: [key.publicJwk] };
    },
  };
  const serve: Serve = async (request, response) => {
    const path = request.url ?? '/';
    const person = PEOPLE.find((name) => path === `/token/${name}`);
    const document = documents[path];
    if (person) response.setHeader('content-type', 'text/plain').end(await token(person));
    else if (document) response.setHeader('content-type', 'application/json').end(JSON.stringify(document()));
    else response.writeHead(404).end();
  };

  const server = await listen(serve, port, host);
  const url = `http://${host}:${portOf(server)}`;
  return {
    url,
    token,
    async rotate() {
      key = await newKey();
    },
    get keyRequests() {
      return keyRequests;
    },
    get key() {
      return key;
    },
    close: () => closeServer(server),
  };
};

const newKey = async (): Promise<Key> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const kid = randomUUID();
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
};
