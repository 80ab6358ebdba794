/**
 * An address that a stack tells, as it can be reached from here. An emulator (AWS_ENDPOINT_URL) has everything that
 * AWS has under many names under one.
 */
export const reach = (url: string): string => {
  const emulator = process.env['AWS_ENDPOINT_URL'];
  if (emulator === undefined) return url;
  const { hostname, pathname } = new URL(url);
  const [api, service] = hostname.split('.');
  const prefix = service === 'execute-api' ? `/_aws/execute-api/${api}` : '';
  return `${emulator}${prefix}${pathname}`;
};
