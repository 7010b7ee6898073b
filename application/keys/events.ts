import { invariant } from '../../domain/errors';
import type { EventKind } from '../../domain/events';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { keyStore } from '../../entities/keys/key.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { viewOf } from '../wallets/view';
import { keyView } from './view';

type KeyEventKind = Extract<EventKind, `key.${string}`>;

/** The transaction must contain the change of the key. */
export async function emitKey(tx: Tx, kind: KeyEventKind, keyId: string): Promise<void> {
  const key = await keyStore.find(tx, keyId);
  invariant(key, `the key ${keyId} is never deleted`);
  await eventStore.emit(tx, { kind, aggregateId: key.id, aggregateVersion: key.version, data: { key: keyView(key) } });
}

export async function emitWalletsOfKey(tx: Tx, kind: 'wallet.delegated' | 'wallet.exported', keyId: string): Promise<void> {
  for (const record of await walletStore.ofKey(tx, keyId)) {
    const { id: aggregateId, version: aggregateVersion } = record.wallet;
    await eventStore.emit(tx, { kind, aggregateId, aggregateVersion, data: { wallet: viewOf(record) } });
  }
}
