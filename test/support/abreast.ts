/**
 * Works through items on several engines at once, one item at a time on each: for lives that mostly wait, and that would
 * see each other's calls and rows on one engine. @throws the first error, once every engine has stopped
 */
export const abreast = async <Engine, Item>(
  engines: readonly Engine[],
  items: readonly Item[],
  run: (engine: Engine, item: Item) => Promise<void>,
): Promise<void> => {
  const todo = [...items];
  const results = await Promise.allSettled(
    engines.map(async (engine) => {
      for (let item = todo.shift(); item !== undefined; item = todo.shift()) await run(engine, item);
    }),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};
