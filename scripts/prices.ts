/**
 * List prices in US dollars, us-east-1, on demand, without any free tier, checked in November 2026. The one place that
 * knows prices: they change, so hold them against the services' pricing pages before you decide by them.
 */
export const prices = {
  /** A state entered by a STANDARD workflow, a retry included. */
  transition: 25 / 1e6,
  /** A request to a REST API. */
  apiRequest: 3.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** A GB of memory for a second, on ARM64. */
  lambdaGbSecond: 0.0000133334,
  /** DynamoDB on demand: an item of up to 1 KB written, or up to 4 KB read consistently. */
  write: 0.625 / 1e6,
  read: 0.125 / 1e6,
  /** An event of Step Functions to a rule is free; what the rule calls is not. */
};

/** What nobody can count on this machine: how long a Lambda is billed for, in seconds, warm. */
export const assumed = { memoryGb: 0.5, requestSeconds: 0.02, stepSeconds: 0.25, reconcileSeconds: 0.03 };

const lambda = (seconds: number): number =>
  prices.lambdaRequest + seconds * assumed.memoryGb * prices.lambdaGbSecond;

/** One MCP request, without what it reads or writes. */
export const requestCost = prices.apiRequest + lambda(assumed.requestSeconds);
export const stepCost = lambda(assumed.stepSeconds);
/** The reconciler looks at the end of every execution, with one conditional write that nearly always changes nothing. */
export const reconcileCost = lambda(assumed.reconcileSeconds) + prices.write;
export const pollCost = requestCost + prices.read;
