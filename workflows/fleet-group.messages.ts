import { defineSignal } from '@temporalio/workflow';

/** Outbox rows and histories contain the name, so the name must not change. */
export const FLEET_GROUP = 'fleetGroup';

/** The signal has no payload: the receiver reads the rows again. */
export const FLEET_GROUP_CHANGED = 'fleetGroupChanged';
export const fleetGroupChanged = defineSignal(FLEET_GROUP_CHANGED);

/** `id` is the id of the group and of the workflow. */
export type FleetGroupInput = { readonly orgId: string; readonly id: string };
