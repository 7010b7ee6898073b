import type { LaneMemory } from '../domain/lanes';

/** What the care of a lane is started with; `routing` holds the network's name and the sender's address, which every node knows. */
export type LaneInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly network: string; readonly address: string };
  /** What the last look of the run before has left. */
  readonly memory?: LaneMemory;
};
