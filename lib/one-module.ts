import type { BuildOptions } from 'esbuild';

/** Some of the SDK's dependencies are CommonJS and call `require`, which an ES module does not have. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/** For esbuild: one ES module with everything in it. */
export const ONE_MODULE = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  mainFields: ['module', 'main'],
  banner: { js: REQUIRE },
} satisfies BuildOptions;
