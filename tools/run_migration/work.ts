/** How far a migration is: what the steps hand to each other through the workflow, at `$.work`. */
export interface Work {
  /** Counted by the plan. */
  total: number;
  toUpdate: number;
  toDelete: number;
  toChange: number;
  /** Counted while applying. */
  seen: number;
  updated: number;
  deleted: number;
  /** Where the next batch starts; null at the beginning. */
  cursor: string | null;
  finished: boolean;
}
