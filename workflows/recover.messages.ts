import { defineSignal } from '@temporalio/workflow';

/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const RECOVER = 'recover';

/** The signal's name. It must not change, because outbox rows contain it. */
export const RECOVERY_STOPPED = 'recoveryStopped';

/** The recovery was stopped. The signal has no payload: the workflow reads the row again. */
export const recoveryStopped = defineSignal(RECOVERY_STOPPED);

/** `id` is the recovery's id, which is also the workflow's id. */
export type RecoverInput = { readonly orgId: string; readonly id: string };
