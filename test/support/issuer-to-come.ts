/** Stands in the synthesised template for the issuer that each suite starts. Nobody listens there. */
export const ISSUER_TO_COME = 'http://127.0.0.1:9';
