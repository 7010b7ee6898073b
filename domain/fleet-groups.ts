import { CEREMONY_LAPSES_AFTER_MS, type FleetKind, type FleetState, IS_CEREMONY, KEY_USE_LAPSES_AFTER_MS } from './fleets';

export type FleetGroupRef = { readonly orgId: string; readonly groupId: string };

/** A group without an outcome is about to end, and the organisation gets a reminder. */
export const FLEET_REMINDER_BEFORE_MS = 86_400_000;

export const lapsesAfterMs = (kind: FleetKind): number =>
  IS_CEREMONY[kind] ? CEREMONY_LAPSES_AFTER_MS : KEY_USE_LAPSES_AFTER_MS;

/**
 * The next step of an open group. `Seal`, `Check` and `Record` are steps of the service: it asks the signer for the archive,
 * verifies an output, and asks the signer to record an approval. `Output` and `Review` are steps of people.
 */
export type FleetStep = 'Seal' | 'Output' | 'Check' | 'Review' | 'Record';

export type FleetStanding =
  | { readonly next: 'Ended'; readonly status: FleetState }
  | {
      readonly next: FleetStep;
      readonly kind: FleetKind;
      readonly storeId: string;
      /** Until the group is canceled; not positive if the time is over. */
      readonly endsInMs: number;
      /** Absent if the reminder is sent. */
      readonly reminderInMs?: number;
    };
