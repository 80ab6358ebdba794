import { describe, expect, test } from '@jest/globals';
import { callerOf, tenantOf } from '../../../lambdas/mcp/caller.ts';
import { apiEvent } from '../../support/api-event.ts';

const eventWith = (requestContext: Record<string, unknown>) =>
  apiEvent({ Authorization: 'Bearer secret', 'X-Tenant': 'user:mallory' }, '{}', {
    requestContext: requestContext as never,
  });

describe('the caller', () => {
  test('is who the authorizer says, without the token', () => {
    const caller = callerOf(
      eventWith({
        authorizer: {
          principalId: 'user:alice',
          tenant: 'user:alice',
          clientId: 'app',
          scopes: 'a b',
          expiresAt: '2000000000',
        },
      }),
    );

    expect(caller).toEqual({
      token: '',
      clientId: 'app',
      scopes: ['a', 'b'],
      expiresAt: 2_000_000_000,
      extra: { tenant: 'user:alice' },
    });
  });

  const role = {
    caller: 'AROAEXAMPLE:session-1',
    accountId: '123456789012',
    userArn: 'arn:aws:sts::123456789012:assumed-role/Role/session-1',
  };

  test('with SigV4 is the user or role, whatever the session is called', () => {
    const first = callerOf(eventWith({ identity: role }));
    const next = callerOf(eventWith({ identity: { ...role, caller: 'AROAEXAMPLE:session-2' } }));

    expect(first?.extra).toEqual({ tenant: 'iam:AROAEXAMPLE' });
    expect(next).toEqual(first);
  });

  test('with SigV4 may be the whole account', () => {
    expect(callerOf(eventWith({ identity: role }), 'accountId')?.extra).toEqual({
      tenant: 'account:123456789012',
    });
  });

  test('is nobody where the API did not ask, whatever the headers say', () => {
    expect(callerOf(eventWith({ identity: { sourceIp: '192.0.2.1' } }))).toBeUndefined();
  });
});

describe('the tenant', () => {
  test.each(['cognito', 'jwt', 'iam'] as const)(
    'auth=%s: a caller whom nobody verified is an error',
    (auth) => {
      expect(() => tenantOf(auth)(undefined)).toThrow('did not say who calls');
      expect(() => tenantOf(auth)({ token: '', clientId: 'x', scopes: [] })).toThrow('did not say who calls');
    },
  );

  test('auth=none: all are one', () => {
    expect(tenantOf('none')(undefined)).toBe('public');
  });
});
