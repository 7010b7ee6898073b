export const RECOVERY_STATUSES = ['Waiting', 'Applied', 'Stopped'] as const;

export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number];

/** By what a recovery was begun: the person's recovery key, or an operator for an administrator who has lost that too. Durable names. */
export const RECOVERY_KINDS = ['RecoveryKey', 'Operator'] as const;

export type RecoveryKind = (typeof RECOVERY_KINDS)[number];

/** How a recovery stands; `waitMs` is what it has to wait for by the database's clock. */
export type RecoveryStanding = { readonly status: RecoveryStatus; readonly waitMs: number };
