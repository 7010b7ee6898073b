import { findNetwork } from '../../chains/networks';
import { AppError, invariant } from '../../domain/errors';
import type { Frozen } from '../../domain/freezes';
import type { Reader, Tx } from '../../entities/database';
import { feeSponsorStore } from '../../entities/fee-sponsors/fee-sponsor.store';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';
import { type FreezableIds, freezeRecordStore } from '../../entities/freezes/freeze-record.store';
import type { KeyEntity } from '../../entities/keys/key.entity';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { walletStore } from '../../entities/wallets/wallet.store';

/** The records that an activity touches, and the networks on which a signature for the activity could be valid. */
export type Reach = FreezableIds & { readonly isOn: (network: string) => boolean };

export const reachOfWallet = ({ id, keyId, network }: Pick<WalletEntity, 'id' | 'keyId' | 'network'>): Reach => ({
  walletIds: [id],
  keyIds: [keyId],
  isOn: (name) => name === network,
});

/**
 * Finds the oldest freeze that stops the request. A sponsored request also touches the sponsor's wallet, which signs and sends
 * the transaction.
 */
export async function freezeOfRequest(
  reader: Reader,
  { walletId, feeSponsorId }: Pick<OutgoingEntity, 'walletId' | 'feeSponsorId'>,
): Promise<FreezeEntity | undefined> {
  const walletIds = [walletId];
  if (feeSponsorId !== null) {
    const sponsor = await feeSponsorStore.find(reader, feeSponsorId);
    invariant(sponsor, 'the fee sponsor of a request is never deleted');
    walletIds.push(sponsor.walletId);
  }
  const [freeze, known] = await Promise.all([
    freezeRecordStore.reachingWallets(reader, walletIds),
    walletStore.countWithKeys(reader, walletIds),
  ]);
  // The query finds a freeze of a key or network through the rows of wallets and keys, so these rows must exist.
  invariant(known === walletIds.length, 'the wallets of a request and their keys are never deleted');
  return freeze;
}

type KeyForm = Pick<KeyEntity, 'id' | 'scheme' | 'curve'>;

/**
 * A request to a key touches all wallets of the key and their networks (S3). A transaction also reaches its own network. Any
 * other request also reaches every network that accepts keys of this scheme and curve. For a transaction, the signer checks
 * only the transaction's own network.
 */
export async function reachOfKey(reader: Reader, key: KeyForm, transactionOn: string | null = null): Promise<Reach> {
  const wallets = await reader.rows(WalletEntity, 'WHERE t.key_id = $1', [key.id]);
  const couldBeOn = (name: string) => {
    const network = findNetwork(name);
    return network?.scheme === key.scheme && network.curve === key.curve;
  };
  return {
    walletIds: wallets.map(({ id }) => id),
    keyIds: [key.id],
    isOn: (name) =>
      wallets.some(({ network }) => network === name) || (transactionOn === null ? couldBeOn(name) : name === transactionOn),
  };
}

/** `kin` contains the other keys with the same public key, and every key that can be derived from the exported key. */
export async function reachOfExport(reader: Reader, key: KeyForm, kin: readonly KeyForm[]): Promise<Reach> {
  const reaches: Reach[] = [];
  for (const one of [key, ...kin]) reaches.push(await reachOfKey(reader, one));
  return {
    walletIds: reaches.flatMap(({ walletIds }) => walletIds),
    keyIds: reaches.flatMap(({ keyIds }) => keyIds),
    isOn: (name) => reaches.some(({ isOn }) => isOn(name)),
  };
}

/** Finds the oldest freeze within the reach. */
export async function freezeInTheWay(reader: Reader, reach: Reach): Promise<FreezeEntity | undefined> {
  const rows = await freezeRecordStore.reaching(reader, reach);
  return rows.find(({ targetKind, targetId }) => targetKind !== 'Network' || reach.isOn(targetId));
}

/** Throws `TargetFrozen` with the id of the freeze. */
export async function assertNotFrozen(reader: Reader, reach: Reach): Promise<void> {
  const freeze = await freezeInTheWay(reader, reach);
  if (freeze) throw targetFrozen(freeze);
}

export function targetFrozen({ id: freezeId, targetKind: kind, targetId: id }: FreezeEntity): AppError {
  const message = kind === 'Network' ? `the network ${id} is frozen` : `the ${kind.toLowerCase()} is frozen`;
  return new AppError('TargetFrozen', message, { freezeId, target: { kind, id } });
}

/** Finds the freeze that stops an activity. The release of this freeze wakes the activity. */
export async function registerFreezeWaiter(
  tx: Tx,
  activityId: string,
  find: () => Promise<FreezeEntity | undefined>,
): Promise<Frozen | undefined> {
  for (;;) {
    const found = await find();
    if (!found) return undefined;
    // Because of the lock, either this code sees a concurrent release, or that release sees the waiting activity.
    const locked = await freezeRecordStore.lock(tx, found.id);
    if (locked?.dateReleased !== null) continue;
    await freezeRecordStore.addWaiting(tx, found.id, activityId);
    return { frozenBy: found.id };
  }
}
