/** The operation behind a method and a path, as far as this release serves one there. */
export type PerformedOperation = {
  readonly id: string;
  readonly permission: string | null;
  readonly userAction: boolean;
  readonly secretBody?: true | undefined;
};

/** More rows than these are not listed at once (contract: the audit log is cut here). */
export const AUDIT_ROWS_MAX = 100_000;

/** Stands in the place of a method where an operator's command did it; the path is its name. */
export const BY_OPERATOR = 'OPERATOR';
