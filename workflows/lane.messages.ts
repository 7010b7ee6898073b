import type { LaneMemory } from '../domain/lanes';

/**
 * The input of the workflow that cares for a lane. `routing` holds the network's name and the sender's address, which are
 * public.
 */
export type LaneInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly network: string; readonly address: string };
  /** The result of the previous run's last check. */
  readonly memory?: LaneMemory;
};
