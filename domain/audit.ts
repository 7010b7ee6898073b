/** The operation at a method and a path, if this release serves one there. */
export type PerformedOperation = {
  readonly id: string;
  readonly permission: string | null;
  readonly userAction: boolean;
  readonly secretBody?: true | undefined;
};

/** The most rows in one list (contract: the audit log is cut here). */
export const AUDIT_ROWS_MAX = 100_000;

/** Stands in place of a method for an operator's command; the path is its name. */
export const BY_OPERATOR = 'OPERATOR';
