import type { LaneMemory } from '../domain/lanes';

/** `routing` holds the network's name and the sender's address, which are public. */
export type LaneInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly network: string; readonly address: string };
  /** From the last check of the previous run. */
  readonly memory?: LaneMemory;
};
