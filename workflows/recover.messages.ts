import { defineSignal } from '@temporalio/workflow';

/** The workflow's type name: it stands in outbox rows and histories. */
export const RECOVER = 'recover';

/** A durable name: outbox rows hold it. */
export const RECOVERY_STOPPED = 'recoveryStopped';

/** Somebody stopped the recovery. Carries nothing: the workflow reads the row again. */
export const recoveryStopped = defineSignal(RECOVERY_STOPPED);

/** `id` is the recovery's id, which is also the workflow's. */
export type RecoverInput = { readonly orgId: string; readonly id: string };
