import { defineSignal } from '@temporalio/workflow';

/** Outbox rows and histories contain the name, so the name must not change. */
export const OFFLINE_CHANGED = 'offlineChanged';

/** A device has signed the request, or the group that carried the request has ended. */
export const offlineChanged = defineSignal(OFFLINE_CHANGED);
