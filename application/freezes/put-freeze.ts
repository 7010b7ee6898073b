import { invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';
import { freezeRecordStore, type NewFreeze } from '../../entities/freezes/freeze-record.store';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { newId } from '../../platform/ids';
import { FREEZE } from '../../workflows/freeze.messages';
import { freezeView } from './view';

/**
 * Adds the freeze and queues the start of the freeze's workflow. To start the workflow at once, the caller can pass `start` to
 * `tryNow` of the dispatcher after the commit. Returns undefined if the target is already frozen.
 */
export async function putFreeze(
  tx: Tx,
  freeze: NewFreeze,
): Promise<{ readonly row: FreezeEntity; readonly start: Dispatch } | undefined> {
  const { id } = freeze;
  if (!(await freezeRecordStore.add(tx, freeze))) return undefined;
  const start: Dispatch = { kind: 'start', aggregateId: id, dedupeKey: `start:${id}`, routing: routingOf(freeze) };
  // The new epoch voids earlier verdicts, so each activity is judged again before signing. The freeze then stops the activity.
  await organizationStore.bumpPolicyEpoch(tx);
  await outboxStore.add(tx, start);
  return { row: await emitFreeze(tx, 'freeze.created', id), start };
}

const routingOf = ({ targetKind }: Pick<NewFreeze, 'targetKind'>): Dispatch['routing'] => ({
  workflow: FREEZE,
  summary: `Freeze of ${targetKind === 'Organization' ? 'the organisation' : `a ${targetKind.toLowerCase()}`}`,
});

/** Returns the routing that starts the freeze's workflow again; undefined if the signer has confirmed the release. */
export async function restartFreeze(tx: Tx, freezeId: string): Promise<Dispatch['routing'] | undefined> {
  const row = await freezeRecordStore.lock(tx, freezeId);
  return row && row.dateSignerReleased === null ? routingOf(row) : undefined;
}

/**
 * Freezes the key of the wallet, because the chain contains a transaction of the wallet that this service did not sign (S18). An
 * attacker may have the key, and further signatures would compete with the attacker's transactions. The service requests this
 * freeze by itself, but only people can release it.
 */
export async function freezeCompromisedKey(tx: Tx, row: OutgoingEntity, walletId = row.walletId): Promise<void> {
  const { id, network } = row;
  const wallet = await tx.row(WalletEntity, 'WHERE t.id = $1', [walletId]);
  invariant(wallet, 'a wallet is never deleted');
  const reason = `${network} holds a transaction of wallet ${walletId} that was not signed here and took the place of ${id}: the key may be compromised`;
  await putFreeze(tx, {
    ...{ id: newId('freeze'), targetKind: 'Key', targetId: wallet.keyId, reason },
    ...{ createdBy: null, userActionId: null },
  });
}

export async function emitFreeze(tx: Tx, kind: 'freeze.created' | 'freeze.released', freezeId: string): Promise<FreezeEntity> {
  const row = await freezeRecordStore.find(tx, freezeId);
  invariant(row, `the freeze ${freezeId} is never deleted`);
  await eventStore.emit(tx, { kind, aggregateId: row.id, aggregateVersion: row.version, data: { freeze: freezeView(row) } });
  return row;
}
