export type PerformedOperation = {
  readonly id: string;
  readonly permission: string | null;
  readonly userAction: boolean;
  readonly secretBody?: true | undefined;
};

/** The limit of one list, as in the published interface. */
export const AUDIT_ROWS_MAX = 100_000;

/** Stands in place of the HTTP method in the record of an operator's command. The path is the name of the command. */
export const BY_OPERATOR = 'OPERATOR';
