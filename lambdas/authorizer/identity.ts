import type { JwtPayload } from 'aws-jwt-verify/jwt-model';

/** Who a verified token speaks for, in the words that the endpoint is told. */
export interface Identity {
  /** Whose tasks this is about. The same for every token of the same person or machine. */
  tenant: string;
  clientId: string;
  scopes: string[];
  /** Epoch seconds. */
  expiresAt: number;
}

/** A token that is good, of which we still cannot tell whose it is. */
export class NoIdentity extends Error {}

/** It becomes a part of a key, which may be 2,048 bytes long. */
const MAX_TENANT_BYTES = 1_024;

/** `client_id` is what RFC 9068 and Cognito say; `azp` and `cid` are older ways of other issuers. */
const clientOf = ({ client_id, azp, cid }: JwtPayload): string | undefined =>
  [client_id, azp, cid].find((claim): claim is string => typeof claim === 'string' && claim !== '');

/** RFC 9068 says `scope`, some issuers `scp`. */
const scopesOf = ({ scope, scp }: JwtPayload): string[] => {
  const found: unknown = scope ?? scp;
  if (Array.isArray(found)) return found.filter((one) => typeof one === 'string');
  return typeof found === 'string' ? found.split(' ').filter(Boolean) : [];
};

/**
 * The claim's name is part of the tenant, so that a person's subject never reads as some machine's client id.
 * @throws NoIdentity
 */
const tenantOf = (payload: JwtPayload, claim: string | undefined): string => {
  const client = clientOf(payload);
  // With client credentials there is no person: the subject is absent, or the client itself (RFC 9068, section 2.2).
  const isMachine = payload.sub === undefined || payload.sub === client;
  const [kind, value] = claim
    ? [claim, payload[claim]]
    : isMachine
      ? ['client', client]
      : ['user', payload.sub];
  if (typeof value !== 'string' || value === '')
    throw new NoIdentity(`The token has no ${kind} to take for tenant`);
  const tenant = `${kind}:${value}`;
  if (Buffer.byteLength(tenant) > MAX_TENANT_BYTES) throw new NoIdentity(`The token’s ${kind} is too long`);
  return tenant;
};

/** @param claim names the tenant; without one it is the subject, or the client where no person is involved. */
export const identityOf = (payload: JwtPayload, claim?: string): Identity => ({
  tenant: tenantOf(payload, claim),
  clientId: clientOf(payload) ?? String(payload.sub),
  scopes: scopesOf(payload),
  expiresAt: Number(payload.exp),
});
