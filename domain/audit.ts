export type PerformedOperation = {
  readonly id: string;
  readonly permission: string | null;
  readonly userAction: boolean;
  readonly secretBody?: true | undefined;
};

/** The most entries that one list contains, as in the published interface. */
export const AUDIT_ROWS_MAX = 100_000;

/** The record of an operator's command has this text as its HTTP method, and the name of the command as its path. */
export const BY_OPERATOR = 'OPERATOR';
