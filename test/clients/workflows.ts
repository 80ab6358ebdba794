import { join } from 'node:path';
import type { Workflow, WorkflowTable } from '../../lib/workflow-kit/index.ts';
import { workflows as shipped } from '../../tools/workflows.ts';
import type { tools } from './tools.ts';

const closeBooks: Workflow = (kit) =>
  kit.run('Close', { entry: join(import.meta.dirname, 'close-books.ts') });

export const workflows: WorkflowTable<typeof tools> = { ...shipped, close_books: closeBooks };
