export const RECOVERY_STATUSES = ['Waiting', 'Applied', 'Stopped'] as const;

export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number];

/** An operator begins a recovery for an administrator who has lost even the recovery key. The names are durable. */
export const RECOVERY_KINDS = ['RecoveryKey', 'Operator'] as const;

export type RecoveryKind = (typeof RECOVERY_KINDS)[number];

/** `waitMs` is the remaining wait, by the database's clock. */
export type RecoveryStanding = { readonly status: RecoveryStatus; readonly waitMs: number };
