import { describe, test } from '@jest/globals';
import { useEngine } from '../support/engine.ts';
import { scenarios } from './scenarios.ts';

describe('on the embedded engine', () => {
  const engine = useEngine();

  for (const [name, scenario] of Object.entries(scenarios)) {
    test(name, () =>
      scenario({
        mcpUrl: engine.mcpUrl,
        documents: engine.documents,
        recordsTable: engine.table('Records'),
      }),
    );
  }
});
