/** A row of the Records table. `version` counts its changes, so that nobody's change is overwritten. */
export interface CustomerRecord {
  id: string;
  version: number;
  email: string;
  plan: string;
  status: 'active' | 'closed';
}

export type Change = { action: 'keep' } | { action: 'delete' } | { action: 'update'; record: CustomerRecord };

interface Migration {
  description: string;
  /** Decides over one record, from the record alone: what has been migrated already is kept as it is. */
  decide(record: CustomerRecord): Change;
}

const update = (record: CustomerRecord, changed: Partial<CustomerRecord>): Change => {
  const next = { ...record, ...changed };
  const differs = next.email !== record.email || next.plan !== record.plan || next.status !== record.status;
  return differs
    ? { action: 'update', record: { ...next, version: record.version + 1 } }
    : { action: 'keep' };
};

export const migrations: Record<string, Migration> = {
  lowercase_emails: {
    description: 'Writes every e-mail address in lower case.',
    decide: (record) => update(record, { email: record.email.toLowerCase() }),
  },
  retire_free_plan: {
    description: 'Deletes closed accounts and moves the active ones of the free plan to the starter plan.',
    decide: (record) =>
      record.status === 'closed'
        ? { action: 'delete' }
        : update(record, { plan: record.plan === 'free' ? 'starter' : record.plan }),
  },
};
