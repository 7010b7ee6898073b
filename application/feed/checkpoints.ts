import { invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { type FeedHead, feedStore } from '../../entities/feed/feed.store';
import { readCheckpoint, type SignedCheckpoint } from '../../platform/chain-checkpoint';

/** Stores the signer's statement about this head. Returns false if the head has a checkpoint already. */
export async function keepCheckpoint(tx: Tx, { sequence, hash }: FeedHead, signed: SignedCheckpoint): Promise<boolean> {
  const said = readCheckpoint(signed.statement);
  const isOfHead = said?.organizationId === tx.orgId && said.sequence === sequence && said.hash === hash;
  invariant(isOfHead, `the signer attests the head ${sequence} of the feed`);
  return feedStore.addCheckpoint(tx, { sequence: String(sequence), ...signed });
}
