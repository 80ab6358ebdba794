import { writeFileSync } from 'node:fs';
import { removeAssembly, synthesize } from '../local/synth.ts';
import { workflowsPage } from './workflows-page.ts';

/** `npm run diagrams`: docs/workflows.md from the synthesised state machines. */
const assembly = await synthesize({ context: { auth: 'none', 'aws:cdk:bundling-stacks': [] } });
writeFileSync('docs/workflows.md', workflowsPage(assembly));
removeAssembly(assembly);
