import { speedUpStuck } from '../../../application/outgoing/lanes/lane-care';
import { solanaDecoderOf } from '../../../chains/decoders';
import type { createGateways } from '../../../chains/gateways';
import type { SolanaNetwork, SolanaReader } from '../../../chains/solana/types';
import type { BroadcastOutcome } from '../../../chains/types';
import { invariant } from '../../../domain/errors';
import type { LaneLook, LaneTroubleKind } from '../../../domain/lanes';
import type { Database } from '../../../entities/database';
import { laneCareStore } from '../../../entities/outgoing/lane-care.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { transferRecords } from '../records';
import { feeAt, higherPrice, priceIn } from './prices';
import { writableOf } from './quote';

type Looking = {
  readonly db: Database;
  readonly reader: SolanaReader;
  readonly gateway: ReturnType<ReturnType<typeof createGateways>>;
  readonly orgId: string;
  readonly network: SolanaNetwork;
  readonly address: string;
  readonly isFrozen: boolean;
};

/** These slots last about a minute, which is also the lifetime of a transaction with a blockhash. */
const STUCK_SLOTS = 150;

/**
 * Looks only at transactions with a durable nonce. A transaction with a blockhash expires by itself, and Solana has no queue. A
 * transaction with a durable nonce stays pending for ever if no leader includes it at its price.
 */
export async function careForDurable(looking: Looking): Promise<LaneLook> {
  const { db, gateway, orgId, network, address, isFrozen } = looking;
  const lane = { network: network.name, address };
  const note = (found: { readonly kind: LaneTroubleKind; readonly transferId: string } | null) =>
    db.withOrg(orgId, (tx) => laneCareStore.note(tx, lane, found && { ...found, nonce: null }));
  const { height } = await gateway.head();
  const sent = await laneCareStore.sentByDurableNonce(db.read(orgId), lane);
  if (sent.length === 0) {
    await note(null);
    return { kind: 'Healthy' };
  }
  const watched = (found: string, trouble: LaneTroubleKind | null, acted: boolean): LaneLook => ({
    kind: 'Watched',
    memory: { found, height, count: 0 },
    trouble,
    acted,
  });
  // Nothing in a frozen lane (the queue of one sender) is sent or reported, because the freeze explains why nothing moves.
  if (isFrozen) return watched('Frozen', null, false);

  const stuck: { readonly kind: LaneTroubleKind; readonly transferId: string }[] = [];
  for (const one of sent) {
    if (await gateway.isKnown(one.txHash)) continue;
    const row = await outgoingStore.find(db.read(orgId), one.transferId);
    invariant(row, `the transfer ${one.transferId} exists`);
    // A transaction in a sponsor's lane moves the money of another wallet, which may be frozen itself.
    if (await transferRecords.freeze(db.read(orgId), row)) continue;
    const outcome = await gateway.broadcast(one.rawHex, one.txHash);
    if (height - one.slot >= STUCK_SLOTS)
      stuck.push({ kind: await troubleOf(looking, row, one.unsignedHex, outcome), transferId: row.id });
  }
  await note(stuck[0] ?? null);
  let acted = false;
  for (const { kind, transferId } of network.speedsUpStuck === false ? [] : stuck) {
    if (kind !== 'Underpriced') continue;
    if (await db.withOrg(orgId, (tx) => speedUpStuck(tx, lane, transferId))) acted = true;
  }
  return watched(sent.map(({ id }) => id).join(), stuck[0]?.kind ?? null, acted);
}

/** A node simulates each new transaction, and refuses a transaction that would fail. */
async function troubleOf(
  { reader, network }: Looking,
  row: OutgoingEntity,
  unsignedHex: string,
  outcome: BroadcastOutcome,
): Promise<LaneTroubleKind> {
  if (typeof outcome === 'object' || outcome === 'InsufficientFunds') return 'WouldFail';
  const decoded = solanaDecoderOf(network.name).decode(unsignedHex);
  const price = higherPrice(priceIn(decoded), await reader.unitPrice('Fast', writableOf(row)));
  // Every byte of a raw transaction was approved, including its price.
  return row.terms !== null || feeAt(decoded, price) > BigInt(row.feeCeilingUnits) ? 'FeesAboveCeiling' : 'Underpriced';
}
