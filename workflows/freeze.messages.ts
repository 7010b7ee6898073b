import { defineSignal } from '@temporalio/workflow';

/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const FREEZE = 'freeze';

/** A freeze was released. The signal has no payload: the receiver reads the rows again. */
export const FREEZE_CHANGED = 'freezeChanged';
export const freezeChanged = defineSignal(FREEZE_CHANGED);

/** `id` is the freeze's id, which is also the workflow's id. */
export type FreezeInput = { readonly orgId: string; readonly id: string };
