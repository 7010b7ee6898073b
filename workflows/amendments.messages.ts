import { defineSignal } from '@temporalio/workflow';

/** Outbox rows and histories contain the names, so the names must not change. */
export const AMENDMENTS_WORKFLOW = 'amendments';
export const AMENDMENT_RECORDED = 'amendmentRecorded';
/** The signal has no payload: the receiver reads the rows. */
export const amendmentRecorded = defineSignal(AMENDMENT_RECORDED);

/** The id of the workflow. One workflow per organisation keeps the amendments in their order. */
export const amendmentsOf = (orgId: string): string => `amendments-${orgId}`;

/** `id` is the id of the workflow. */
export type AmendmentsInput = { readonly orgId: string; readonly id: string };
