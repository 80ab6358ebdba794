import { readFile, rename, writeFile } from 'node:fs/promises';
import type { SerializedTaskReference } from '@modelcontextprotocol/ext-tasks/client';

/** What a client has to remember of one call to go on with it after a crash. */
export interface Entry {
  tool: string;
  args: Record<string, unknown>;
  /** The task, if the call became one. */
  task?: SerializedTaskReference;
  /** Answers by the key of their question. A key is never used twice, so none is asked or sent twice. */
  answers: Record<string, { response: unknown; sent: boolean }>;
  /** How it ended: a result or an error, as the tool's call would have been answered with. */
  outcome?: { status: string; result?: unknown; error?: unknown };
}

export interface Journal {
  read(): Promise<Entry | undefined>;
  write(entry: Entry): Promise<void>;
}

/** A file per call. It is replaced, never changed: a crash leaves the old one or the new one. */
export const fileJournal = (path: string): Journal => ({
  async read() {
    try {
      return JSON.parse(await readFile(path, 'utf8')) as Entry;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
  async write(entry) {
    await writeFile(`${path}.new`, JSON.stringify(entry));
    await rename(`${path}.new`, path);
  },
});
