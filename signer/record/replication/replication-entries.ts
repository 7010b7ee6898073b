import type { Index } from '../journal/index-store';

/** `statement` is a text that the operator has signed for the last line that the journal had before this start. */
export type SignedStatement = { readonly statement: string; readonly signature: string };

/**
 * From this entry on, the signer needs the replica's acknowledgement of every entry (`Replicated`), or runs without a replica
 * because the operator allows this (`Alone`). Each start with a replica begins the next epoch.
 */
export type ReplicationSetEntry = {
  readonly kind: 'ReplicationSet';
  readonly mode: 'Replicated' | 'Alone';
  readonly epoch: number;
  readonly signed?: SignedStatement | undefined;
};

const NAME = 'replication';
type Replication = Pick<ReplicationSetEntry, 'mode' | 'epoch'>;

export function applyReplicationSet(index: Pick<Index, 'put'>, { mode, epoch }: ReplicationSetEntry): void {
  index.put(NAME, { mode, epoch });
}

/** Undefined for a journal that never had a replica. */
export const replicationIn = (index: Pick<Index, 'get'>): Replication | undefined => index.get<Replication>(NAME);
