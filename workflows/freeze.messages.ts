import { defineSignal } from '@temporalio/workflow';

/** The workflow's type name: outbox rows and histories hold it. */
export const FREEZE = 'freeze';

/** A freeze was released. The signal has no payload: the receiver reads the rows again. */
export const FREEZE_CHANGED = 'freezeChanged';
export const freezeChanged = defineSignal(FREEZE_CHANGED);

/** `id` is the freeze's id, which is also the workflow's. */
export type FreezeInput = { readonly orgId: string; readonly id: string };
