import { describe, expect, test } from '@jest/globals';
import { identityOf, NoIdentity } from '../../../lambdas/authorizer/identity.ts';

const exp = 2_000_000_000;
const tenantOf = (claims: Record<string, unknown>, claim?: string) =>
  identityOf({ exp, ...claims }, claim).tenant;

describe('the tenant', () => {
  test.each([
    ['a person', { sub: 'a7c1', client_id: 'app' }, 'user:a7c1'],
    ['a person, whatever the app', { sub: 'a7c1', client_id: 'other-app' }, 'user:a7c1'],
    [
      'a machine (Cognito, RFC 9068: the subject is the client)',
      { sub: 'job', client_id: 'job' },
      'client:job',
    ],
    ['a machine of an issuer that names no subject', { azp: 'job' }, 'client:job'],
    ['a machine at Okta', { sub: 'job', cid: 'job' }, 'client:job'],
  ])('of %s', (_, claims, tenant) => {
    expect(tenantOf(claims)).toBe(tenant);
  });

  test('a person cannot take a subject that reads as a machine', () => {
    expect(tenantOf({ sub: 'client:job', client_id: 'app' })).toBe('user:client:job');
  });

  test('is what the configured claim says, for everybody alike', () => {
    expect(tenantOf({ sub: 'a7c1', org: 'acme' }, 'org')).toBe('org:acme');
    expect(tenantOf({ sub: 'b2d4', org: 'acme' }, 'org')).toBe('org:acme');
  });

  test.each([
    ['the claim is not there', { sub: 'a7c1' }, 'org'],
    ['the claim is empty', { sub: 'a7c1', org: '' }, 'org'],
    ['the claim is a list', { sub: 'a7c1', org: ['acme', 'other'] }, 'org'],
    ['the claim is too long for a key', { sub: 'a7c1', org: 'x'.repeat(1_025) }, 'org'],
    ['there is neither person nor machine', {}, undefined],
    ['the subject is empty', { sub: '', client_id: 'app' }, undefined],
  ])('is nobody’s when %s', (_, claims, claim) => {
    expect(() => tenantOf(claims, claim)).toThrow(NoIdentity);
  });
});

test.each([
  [{ scope: 'a b' }, ['a', 'b']],
  [{ scp: 'a b' }, ['a', 'b']],
  [{ scp: ['a', 'b', 1] }, ['a', 'b']],
  [{}, []],
])('scopes of %j', (claims, scopes) => {
  expect(identityOf({ exp, sub: 'a', ...claims }).scopes).toEqual(scopes);
});
