/** An execution that would not start later either: to try again is of no use. */
export class CannotStart extends Error {}
