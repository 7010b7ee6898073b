import type { LaneMemory } from '../domain/lanes';

/** `routing` contains the network's name and the sender's address, which are public. */
export type LaneInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly network: string; readonly address: string };
  /** The memory of the previous run's last check. */
  readonly memory?: LaneMemory;
};
