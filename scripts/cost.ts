import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { startEngine } from '../local/engine.ts';
import { localContext } from '../local/local-context.ts';
import { removeAssembly, synthesize } from '../local/synth.ts';
import { withTables } from './cost-page.ts';
import { measureAll } from './measure-all.ts';

const PAGE = 'docs/cost.md';

/** `npm run cost`: the tables of docs/cost.md, counted from real runs. */
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
const assembly = await synthesize({ context: localContext() });
const engine = await startEngine({ assembly });
try {
  const page = withTables(readFileSync(PAGE, 'utf8'), await measureAll(engine));
  writeFileSync(PAGE, await format(page, { parser: 'markdown' }));
} finally {
  await engine.close();
  removeAssembly(assembly);
}
