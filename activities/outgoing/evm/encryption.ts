import { inFamily } from '../../../chains/families';
import { networkOf } from '../../../chains/networks';
import { AppError, invariant } from '../../../domain/errors';
import type { EncryptedAmount } from '../../../domain/transfers';
import type { Database, Tx } from '../../../entities/database';
import { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import type { VendorAccess } from '../../../vendors/call';
import { createEncryptAmount } from '../../../vendors/confidential-amounts/client';
import { VendorError } from '../../../vendors/failure';

/** The limit leaves room for the network's other activities while the encrypting service is slow or silent. */
const AT_ONCE_MAX = 8;

export type EncryptionAccess = (network: string) => VendorAccess | undefined;

/** For a token that hides amounts, the returned row contains the encrypted amount, unless the row is no longer `Approved`. */
export type WithEncrypted = (row: OutgoingEntity) => Promise<OutgoingEntity>;

/**
 * Stores the ciphertext before any nonce is claimed, so every rebuilt or sped-up transaction carries the same ciphertext.
 * Throws `EncryptionUnavailable` while there is no ciphertext, and `TransferWouldFail` if the service refuses permanently.
 */
export function encryptingFirst(db: Database, accessOf: EncryptionAccess): WithEncrypted {
  let asking = 0;
  return async (row) => {
    if (row.assetKind !== 'Erc7984' || row.encryptedAmount !== null) return row;
    if (asking >= AT_ONCE_MAX) throw unavailable(row, 'the limit of simultaneous requests is reached');
    asking += 1;
    try {
      const encrypted = await encrypt(row, accessOf(row.network));
      return await db.withOrg(row.orgId, (tx) => kept(tx, row.id, encrypted));
    } finally {
      asking -= 1;
    }
  };
}

async function kept(tx: Tx, id: string, encryptedAmount: EncryptedAmount): Promise<OutgoingEntity> {
  const locked = await outgoingStore.lock(tx, id);
  // Another attempt came first, or the row is no longer `Approved`.
  if (locked.encryptedAmount !== null || locked.state !== 'Approved') return locked;
  await tx.update(OutgoingEntity, { id }, { encryptedAmount });
  return { ...locked, encryptedAmount };
}

const unavailable = ({ network }: OutgoingEntity, why: string, cause?: unknown) =>
  new AppError('EncryptionUnavailable', `The amount cannot be encrypted yet: ${why}`, { network }, cause);

async function encrypt(row: OutgoingEntity, access: VendorAccess | undefined): Promise<EncryptedAmount> {
  const { id, network, contract, fromAddress: sender, amountUnits } = row;
  if (!access) throw unavailable(row, 'NETWORK_SETTINGS names no confidentialAmounts for the network');
  invariant(contract !== null, 'a token has an address');
  const { chainId } = inFamily('evm', networkOf(network));
  let answer: Awaited<ReturnType<ReturnType<typeof createEncryptAmount>>>;
  try {
    answer = await createEncryptAmount(access)({ id, chainId, contract, sender, amountUnits: BigInt(amountUnits) });
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    throw unavailable(row, error.message, error);
  }
  if (answer === 'Pending') throw unavailable(row, 'the service is still working on it');
  if (answer === 'Refused')
    throw new AppError('TransferWouldFail', 'The service that encrypts amounts refuses this amount', { network });
  return answer;
}
