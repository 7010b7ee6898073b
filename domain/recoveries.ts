export const RECOVERY_STATUSES = ['Waiting', 'Applied', 'Stopped'] as const;

export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number];

/**
 * The origin of a recovery: the user's recovery key, or an operator, for an administrator who has lost even that key. Durable
 * names.
 */
export const RECOVERY_KINDS = ['RecoveryKey', 'Operator'] as const;

export type RecoveryKind = (typeof RECOVERY_KINDS)[number];

/** The state of a recovery; `waitMs` is its remaining wait by the database's clock. */
export type RecoveryStanding = { readonly status: RecoveryStatus; readonly waitMs: number };
