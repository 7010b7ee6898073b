import type { LaneMemory } from '../domain/lanes';

/** The input of a lane's care; `routing` holds the network's name and the sender's address, which every node knows. */
export type LaneInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly network: string; readonly address: string };
  /** The memory of the last check in the previous run. */
  readonly memory?: LaneMemory;
};
