/**
 * The SDK takes `inputResponses` that are no object for none at all, and an acknowledgement would tell the client
 * that they had arrived. A response that is no object, however, it reports to the handler.
 * @param body of a tasks/update request, as parsed JSON.
 * @returns the body with one such response in their place; undefined if there is nothing to refuse.
 */
export const withRefusedResponses = (body: unknown): object | undefined => {
  const { params } = (body ?? {}) as { params?: { inputResponses?: unknown } };
  const responses = params?.inputResponses;
  const isObject = typeof responses === 'object' && responses !== null && !Array.isArray(responses);
  if (responses === undefined || isObject) return undefined;
  return { ...(body as object), params: { ...params, inputResponses: { '': null } } };
};
