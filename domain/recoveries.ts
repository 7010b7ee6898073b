export const RECOVERY_STATUSES = ['Waiting', 'Applied', 'Stopped'] as const;

export type RecoveryStatus = (typeof RECOVERY_STATUSES)[number];

/** How a recovery stands; `waitMs` is what it has to wait for by the database's clock. */
export type RecoveryStanding = { readonly status: RecoveryStatus; readonly waitMs: number };
