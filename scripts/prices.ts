/**
 * List prices in US dollars, us-east-1, on demand, without the free tier, as published in November 2026. The one place
 * that knows prices: look them up on the services' pricing pages before you decide by them.
 */
export const prices = {
  /** A state transition of a STANDARD workflow: every state entered, every retry. */
  stateTransition: 25 / 1e6,
  /** A REST API request. */
  apiRequest: 3.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** GB-second on ARM64. */
  lambdaGbSecond: 0.0000133334,
  /** Up to 1 KB. */
  tableWrite: 0.625 / 1e6,
  /** Up to 4 KB, strongly consistent. */
  tableRead: 0.125 / 1e6,
  /** Per GB. */
  logIngestion: 0.5,
} as const;
