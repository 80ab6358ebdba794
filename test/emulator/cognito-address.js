/**
 * Preloaded by the emulator's Lambdas, in place of DNS: the authorizer fetches a user pool's keys from Cognito's own
 * address, as it must, and the emulator serves its pools' keys under its own.
 */
const { fetch } = globalThis;

globalThis.fetch = (resource, options) => {
  const isAddress = typeof resource === 'string' || resource instanceof URL;
  const { hostname, pathname } = new URL(isAddress ? resource : resource.url);
  return /^cognito-idp\.[a-z0-9-]+\.amazonaws\.com$/.test(hostname)
    ? fetch(new URL(pathname, process.env.AWS_ENDPOINT_URL), options)
    : fetch(resource, options);
};
