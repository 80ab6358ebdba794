import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

const body = (error: string, description: string): Record<string, string> => ({
  'application/json': JSON.stringify({ error, error_description: description }),
});

/**
 * What a caller is told who has no good token (401) or lacks a scope (403): RFC 6750, section 3, with the metadata of
 * RFC 9728. API Gateway itself says it, since it renames the header when a Lambda does. One text goes to those with a
 * bad token and to those with none, so it names no error: to the latter it must not.
 */
export const challenge = (
  restApi: RestApi,
  { metadataUrl, scopes }: { metadataUrl: string; scopes: string[] },
): void => {
  const needed = `scope="${scopes.join(' ')}", resource_metadata="${metadataUrl}"`;
  const description = `The token must carry these scopes: ${scopes.join(' ')}`;
  restApi.addGatewayResponse('No valid token', {
    type: ResponseType.UNAUTHORIZED,
    statusCode: '401',
    responseHeaders: { 'WWW-Authenticate': `'Bearer ${needed}'`, ...READABLE_BY_PAGES },
    templates: body('unauthorized', 'Send a valid access token: Authorization: Bearer <token>'),
  });
  restApi.addGatewayResponse('Not enough scopes', {
    type: ResponseType.ACCESS_DENIED,
    statusCode: '403',
    responseHeaders: {
      'WWW-Authenticate': `'Bearer error="insufficient_scope", ${needed}, error_description="${description}"'`,
      ...READABLE_BY_PAGES,
    },
    templates: body('insufficient_scope', description),
  });
};

/** A page must be able to read how to sign in. Nothing in a challenge is meant for one page only. */
const READABLE_BY_PAGES = {
  'Access-Control-Allow-Origin': `'*'`,
  'Access-Control-Expose-Headers': `'WWW-Authenticate'`,
};
