import { AppError, invariant } from '../../domain/errors';
import type { HashChain } from '../../domain/hash-chains';
import type { Reader, Tx } from '../../entities/database';
import type { ChainHead, StoredCheckpoint } from '../../entities/hash-chains/chain-store';
import { readCheckpoint, type SignedCheckpoint } from '../../platform/chain-checkpoint';
import { CHAINS } from './chains';

/** Stores the signer's statement about this head. Returns false if the head has a checkpoint already. */
export async function keepCheckpoint(
  tx: Tx,
  chain: HashChain,
  { sequence, hash }: ChainHead,
  signed: SignedCheckpoint,
): Promise<boolean> {
  const said = readCheckpoint(chain, signed.statement);
  const isOfHead = said?.organizationId === tx.orgId && said.sequence === sequence && said.hash === hash;
  invariant(isOfHead, `the signer attests the head ${sequence} of the chain ${chain}`);
  return CHAINS[chain].store.addCheckpoint(tx, { sequence, ...signed });
}

/** Newest first. If there is a next page, returns one row more than the limit. Throws `InvalidPaginationToken`. */
export async function listCheckpoints(
  reader: Reader,
  chain: HashChain,
  after: string | undefined,
  limit: number,
): Promise<StoredCheckpoint[]> {
  const before = after === undefined ? undefined : Number(after);
  if (before !== undefined && !(Number.isSafeInteger(before) && before > 0))
    throw new AppError('InvalidPaginationToken', 'The token does not belong to this list');
  return CHAINS[chain].store.checkpoints(reader, { before, limit: limit + 1 });
}
