import { FetchError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import * as z from 'zod';

const TIMEOUT_MS = 3_000;
const MAX_AGE_MS = 3_600_000;
const RETRY_MS = 60_000;

/** @throws FetchError: the issuer is out of reach, which says nothing about the caller */
const get = async (url: string): Promise<ArrayBuffer> => {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.arrayBuffer();
  } catch (error) {
    throw new FetchError(url, error);
  }
};

/**
 * An issuer's keys, fetched once per execution environment. A key id that is not among them makes for another look
 * (at most every ten seconds, so that invented ids cannot flood the issuer), and so does the age of an hour: a key
 * that its issuer has withdrawn stops counting.
 */
export class KeyCache extends SimpleJwksCache {
  private staleAt = 0;

  constructor() {
    super({ fetcher: { fetch: get } });
  }

  override async getJwks(url: string) {
    const jwks = await super.getJwks(url);
    this.staleAt = Date.now() + MAX_AGE_MS;
    return jwks;
  }

  override async getJwk(...[url, jwt]: Parameters<SimpleJwksCache['getJwk']>) {
    if (Date.now() > this.staleAt) {
      // Out of reach for now: the keys we have go on counting, and the next look is not at every request.
      await this.getJwks(url).catch(() => (this.staleAt = Date.now() + RETRY_MS));
    }
    return super.getJwk(url, jwt);
  }
}

const configuration = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Where an issuer's keys are (OpenID Connect Discovery, section 4). */
export const discoverKeys = async (issuer: string): Promise<string> => {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = configuration.safeParse(JSON.parse(new TextDecoder().decode(await get(url))));
  if (!found.success || found.data.issuer !== issuer) {
    throw new FetchError(url, `it is not the OpenID configuration of ${issuer}`);
  }
  return found.data.jwks_uri;
};
