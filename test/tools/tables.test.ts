import { expect, test } from '@jest/globals';
import * as z from 'zod';
import {
  defineSyncTool,
  defineTaskTool,
  type ToolHandlers,
  type ToolTable,
} from '../../lambdas/protocol/define-tool.ts';
import type { Workflow, WorkflowTable } from '../../lib/workflow-kit/index.ts';
import { handlers } from '../../tools/handlers.ts';
import { tools } from '../../tools/index.ts';
import { workflows } from '../../tools/workflows.ts';

const namesOf = (kind: 'sync' | 'task'): string[] =>
  Object.entries(tools).flatMap(([name, tool]) => (tool.kind === kind ? [name] : []));

test('every task tool has a workflow, every synchronous one a handler, and nothing is left over', () => {
  expect(Object.keys(workflows).sort()).toEqual(namesOf('task').sort());
  expect(Object.keys(handlers).sort()).toEqual(namesOf('sync').sort());
});

test('every manifest can be read by a model and by a person', () => {
  for (const [name, { title, description }] of Object.entries(tools)) {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(title).not.toBe('');
    expect(description).toMatch(/\.$/);
  }
});

// What follows is checked by `npm run typecheck`: each line below an `@ts-expect-error` must not compile.

const wait: Workflow = (kit) => kit.progress('Wait');
const table = {
  slow: defineTaskTool({
    title: 'Slow',
    description: 'Slow.',
    inputSchema: z.object({}),
    ttlMs: 1,
    pollIntervalMs: 1,
    asks: [],
  }),
  quick: defineSyncTool({ title: 'Quick', description: 'Quick.', inputSchema: z.object({ n: z.number() }) }),
} satisfies ToolTable;

test('a line that is forgotten or wrong does not compile', () => {
  const complete = { slow: wait } satisfies WorkflowTable<typeof table>;
  // @ts-expect-error -- the workflow of `slow` is missing
  const noWorkflow = {} satisfies WorkflowTable<typeof table>;
  // @ts-expect-error -- `quick` answers within the request: it has no workflow
  const oneTooMany = { slow: wait, quick: wait } satisfies WorkflowTable<typeof table>;
  // @ts-expect-error -- no such tool
  const misspelt = { slow: wait, slwo: wait } satisfies WorkflowTable<typeof table>;

  const answer = {
    quick: ({ n }) => ({ content: [{ type: 'text', text: n.toFixed() }] }),
  } satisfies ToolHandlers<typeof table>;
  // @ts-expect-error -- the handler of `quick` is missing
  const noHandler = {} satisfies ToolHandlers<typeof table>;
  const wrongArguments = {
    // @ts-expect-error -- `n` is a number by the tool's schema
    quick: ({ n }) => ({ content: [{ type: 'text', text: n.toUpperCase() }] }),
  } satisfies ToolHandlers<typeof table>;
  // @ts-expect-error -- a task tool without a lifetime
  const noLifetime = () => defineTaskTool({ ...table.slow, ttlMs: undefined });
  // @ts-expect-error -- there is no such question
  const unknownQuestion = () => defineTaskTool({ ...table.slow, asks: ['telepathy'] });

  // @ts-expect-error -- the tables of this template: a line of tools/workflows.ts is missing
  const noCountdown = { run_migration: workflows.run_migration } satisfies WorkflowTable<typeof tools>;
  // @ts-expect-error -- a line of tools/handlers.ts is missing
  const noList = {} satisfies ToolHandlers<typeof tools>;

  expect([complete, answer, noWorkflow, oneTooMany, misspelt, noHandler, wrongArguments]).toHaveLength(7);
  expect([noLifetime, unknownQuestion, noCountdown, noList]).toHaveLength(4);
});
