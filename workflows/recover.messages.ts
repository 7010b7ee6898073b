import { defineSignal } from '@temporalio/workflow';

/** Outbox rows and histories contain the name, so the name must not change. */
export const RECOVER = 'recover';

/** Outbox rows contain the name, so the name must not change. */
export const RECOVERY_STOPPED = 'recoveryStopped';

/** The signal has no payload: the workflow reads the row again. */
export const recoveryStopped = defineSignal(RECOVERY_STOPPED);

/** `id` is the id of the recovery and of the workflow. */
export type RecoverInput = { readonly orgId: string; readonly id: string };
