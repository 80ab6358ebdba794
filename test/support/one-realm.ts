/**
 * Jest runs tests in a realm of their own, but `fetch` is the outer one's: what `response.json()` returns then has
 * another realm's prototypes, and the official client takes it for something that is not JSON.
 */
Object.defineProperty(Response.prototype, 'json', {
  configurable: true,
  async value(this: Response): Promise<unknown> {
    return JSON.parse(await this.text());
  },
});
