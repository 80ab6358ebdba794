import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { ONE_MODULE } from './one-module.ts';

/**
 * A Lambda's code: one minified ES module with everything in it. NodejsFunction would have it made by `npx esbuild`,
 * a new npm for every function; asked in this process, esbuild takes half the time.
 * @param entry path of the source file with the handler
 */
export const bundle = (entry: string): Code =>
  Code.fromAsset(join(import.meta.dirname, '..'), {
    // What comes out counts, not what a change elsewhere in the repository would do.
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never used, and must be given: bundling is local.
      image: DockerImage.fromRegistry('none'),
      // Tells one bundle of this directory from another.
      command: [entry],
      local: {
        tryBundle(directory) {
          buildSync({
            entryPoints: [entry],
            outfile: join(directory, 'index.mjs'),
            ...ONE_MODULE,
            minify: true,
            sourcemap: true,
            sourcesContent: false,
            // The runtime's own copy of the AWS SDK changes under us; the one in the lock file does not.
            external: [],
            logLevel: 'warning',
          });
          return true;
        },
      },
    },
  });
