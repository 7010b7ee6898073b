import type { Never } from '../../../chains/types';
import { invariant } from '../../../domain/errors';
import { TRANSFER_ENDS } from '../../../domain/transfers';
import type { Database, Tx } from '../../../entities/database';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { coinStore } from '../../../entities/outgoing/coin.store';
import { laneStore } from '../../../entities/outgoing/lane.store';
import type { OpenPayload } from '../../../entities/outgoing/open-payloads';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { payloadStore } from '../../../entities/outgoing/payload.store';
import { freezeCompromisedKey } from '../../freezes/put-freeze';
import { giveBackSigned } from '../../usage/usage';
import { firstRequestOf, MAYBE_SIGNED, tellSettled } from '../competing-requests';
import { emitTransfer } from '../events';
import { wakeLane } from '../lanes/wake-lanes';

const SENT_AFTER_ALL = 'The transaction to be cancelled was sent after all, so this one was not executed';

/**
 * Ends a transfer after the gateway of the network has proved that the signed bytes can never get into a block (S7). The
 * transfer is not built again: a second payload would share no claim with the first payload and could pay twice. A rival is
 * another request for the same claims. `isForeign` means that other bytes have used up the claims. If a rival is then in a
 * block, the transfer stays unchanged, and ends when the rival becomes final. If no rival is in a block, this function freezes
 * the key (S18) and returns `Foreign`. The key is not frozen if the transfer or a rival cancels a signature. In that case this
 * service signed the other bytes for a signature request, and the holder of the bytes sent them. Returns undefined if the
 * transfer stays unchanged.
 */
export async function endExpired(
  db: Database,
  { orgId, id, transferId }: Pick<OpenPayload, 'orgId' | 'id' | 'transferId'>,
  { reason, isForeign, unspent = [] }: Never,
): Promise<'Ended' | 'Foreign' | undefined> {
  return db.withOrg(orgId, async (tx) => {
    const rivals = await outgoingStore.lockRivals(tx, [transferId]);
    const row = rivals.find(({ id: rival }) => rival === transferId);
    invariant(row, 'the transfer of a payload exists');
    if (
      isForeign &&
      (await payloadStore.anyIncluded(
        tx,
        rivals.map((one) => one.id),
      ))
    )
      return undefined;
    if (!(await payloadStore.lapsed(tx, id))) return undefined;
    const isLate = rivals.some(({ cancelsSignatureId }) => cancelsSignatureId !== null);
    const ended = await outgoingStore.move(tx, row, 'Failed', { reason: isForeign && isLate ? SENT_AFTER_ALL : reason });
    await emitTransfer(tx, ended);
    // The payment stays counted while a speed-up may still make the same payment.
    const payment = firstRequestOf(row, rivals);
    const isOpen = (one: OutgoingEntity) =>
      one.id !== row.id && !TRANSFER_ENDS.includes(one.state) && firstRequestOf(one, rivals) === payment;
    if (!rivals.some(isOpen)) await giveBackSigned(tx, payment);
    const isStranger = isForeign && !isLate;
    if (isStranger) await freezeCompromisedKey(tx, row);
    await laneStore.consume(tx, row.claimsOf ?? row.id);
    if (isForeign) await leaveCoins(tx, row, rivals, unspent);
    await tellSettled(tx, ended);
    await wakeLane(tx, { network: row.network, address: row.laneAddress }, 1);
    return isStranger ? 'Foreign' : 'Ended';
  });
}

/**
 * Coins that rivals share stay claimed while a rival may still get into a block. A rival that is not built yet does not keep
 * them claimed, because the worker checks the coins again before the bytes are built.
 */
async function leaveCoins(
  tx: Tx,
  row: OutgoingEntity,
  rivals: readonly OutgoingEntity[],
  unspent: readonly string[],
): Promise<void> {
  const { id, claimsOf } = row;
  const isLast = rivals.every((one) => one.id === id || !MAYBE_SIGNED.includes(one.state));
  if (claimsOf !== null) await laneStore.consume(tx, id);
  const owners = [...(claimsOf === null ? [] : [id]), ...(isLast ? [claimsOf ?? id] : [])];
  await coinStore.leave(tx, id, owners, unspent);
}

/**
 * Freezes the key of a fee sponsor if bytes that this service did not sign have used up the sponsor's nonce (S18). The request
 * stays open, because anyone may still execute its public operation. Returns false, and freezes nothing, if the nonce was
 * reported before. A freeze that people have released is therefore not repeated for the same bytes.
 */
export async function noteCompromisedSponsor(
  db: Database,
  { orgId, id, transferId }: Pick<OpenPayload, 'orgId' | 'id' | 'transferId'>,
): Promise<boolean> {
  return db.withOrg(orgId, async (tx) => {
    const rivals = await outgoingStore.lockRivals(tx, [transferId]);
    const row = rivals.find((one) => one.id === transferId);
    invariant(row && row.feeSponsorId !== null, `the transfer of ${id} names who pays`);
    const transferIds = rivals.map((one) => one.id);
    if (!(await payloadStore.spentElsewhere(tx, id, transferIds))) return false;
    const sponsor = await feeSponsorStore.find(tx, row.feeSponsorId);
    invariant(sponsor, 'a fee sponsor is never deleted');
    await freezeCompromisedKey(tx, row, sponsor.walletId);
    return true;
  });
}
