import { defineSignal } from '@temporalio/workflow';

/** Outbox rows and histories contain the name, so the name must not change. */
export const FREEZE = 'freeze';

/** The signal has no payload: the receiver reads the rows again. */
export const FREEZE_CHANGED = 'freezeChanged';
export const freezeChanged = defineSignal(FREEZE_CHANGED);

/** `id` is the id of the freeze and of the workflow. */
export type FreezeInput = { readonly orgId: string; readonly id: string };
