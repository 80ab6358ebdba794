import * as z from 'zod';

/** The command line gives texts, cdk.json gives values. */
export const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/** Several values in one: separated by spaces or commas on the command line, a list in cdk.json. */
export const list = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
  z.array(z.string()),
);

/** Keys and tokens travel over it, so it is https, except on this machine. */
export const secureUrl = z.string().refine(
  (url) => {
    if (!URL.canParse(url)) return false;
    const { protocol, hostname } = new URL(url);
    const isHere = hostname === '127.0.0.1' || hostname === 'localhost';
    return protocol === 'https:' || (protocol === 'http:' && isHere);
  },
  { error: 'must be a URL that begins with https://' },
);

/** Settings that only make sense together. */
export interface Requirement<Name extends string> {
  /** With this setting (and value) … */
  when: [name: Name, value?: unknown];
  /** … these must be there. */
  needs: Name[];
  hint: string;
}
