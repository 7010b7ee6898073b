/** The operation that this release serves under a method and a path. */
export type PerformedOperation = {
  readonly id: string;
  readonly permission: string | null;
  readonly userAction: boolean;
  readonly secretBody?: true | undefined;
};

/** A list of the audit log has at most this many rows, as in the published interface. */
export const AUDIT_ROWS_MAX = 100_000;

/**
 * The record of an operator's command has this text in place of the HTTP method. The path in such a record is the name of the
 * command.
 */
export const BY_OPERATOR = 'OPERATOR';
