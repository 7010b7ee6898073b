import { StartError } from '../start-error';
import type { Index } from './journal/index-store';
import type { Journal } from './journal/journal';

/** From this entry on, every entry is in two folders, or in one. */
export type ReplicationEntry = { readonly kind: 'ReplicationSet'; readonly isReplicated: boolean };

const REPLICATED = 'replicated';

export function applyReplication(index: Pick<Index, 'put'>, { isReplicated }: ReplicationEntry): void {
  index.put(REPLICATED, isReplicated);
}

type Place = { readonly replicaDir: string | undefined; readonly mayWorkAlone: boolean };

/**
 * A folder whose replica is missing may go on only if the operator says so, because the replica does not learn what is signed
 * meanwhile, and a signer on that replica could sign it a second time.
 */
export async function settleReplication({ index, append }: Journal, { replicaDir, mayWorkAlone }: Place): Promise<void> {
  const wasReplicated = index.get(REPLICATED) === true;
  const isReplicated = replicaDir !== undefined;
  if (wasReplicated && !isReplicated && !mayWorkAlone)
    throw new StartError(
      'the journal had a replica, and SIGNER_REPLICA_DIR is not set: set it, or set SIGNER_ALONE=true to go on with one folder and never use the other again',
    );
  if (wasReplicated !== isReplicated) await append({ kind: 'ReplicationSet', isReplicated });
}
