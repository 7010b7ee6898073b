import { invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { KeyEntity } from '../../entities/keys/key.entity';
import { derivedId } from '../../platform/ids';
import { putFreeze } from './put-freeze';

type ForeignSignature = {
  readonly walletId: string;
  readonly network: string;
  readonly txHash: string;
  /** The latest possible time of the block. */
  readonly latestDate: Date;
};
/**
 * `Exported`: another party has the key, so signatures by that party are expected. `OlderThanKey`: the key was imported after
 * the block. `Known`: the key is frozen already, or people have released the freeze that this transaction caused.
 */
export type ForeignSignatureEnd = 'Frozen' | 'Exported' | 'OlderThanKey' | 'Known';

/**
 * Freezes the key of the wallet, because a block contains a signature of the key that the signer did not make (S18). Token
 * events and payments must not cause a call of this function, because a stranger could produce such events and payments, and
 * thereby freeze the key of a customer.
 */
export async function freezeForForeignSignature(
  tx: Tx,
  { walletId, network, txHash, latestDate }: ForeignSignature,
): Promise<ForeignSignatureEnd> {
  const key = await tx.row(KeyEntity, 'JOIN wallets w ON w.org_id = t.org_id AND w.key_id = t.id WHERE w.id = $1', [walletId]);
  invariant(key, 'a wallet has a key');
  if (latestDate < key.dateCreated) return 'OlderThanKey';
  if (key.dateExported !== null) return 'Exported';
  const put = await putFreeze(tx, {
    // The id is derived from the transaction. If the block is read again, a freeze that people have released is not repeated.
    id: derivedId('freeze', [network, txHash, key.id]),
    ...{ targetKind: 'Key', targetId: key.id, createdBy: null, userActionId: null },
    reason: `${network} contains the transaction ${txHash} with a signature of wallet ${walletId} that was not made here: the key may be compromised`,
  });
  return put ? 'Frozen' : 'Known';
}
