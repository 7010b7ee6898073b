import { speedUpStuck } from '../../../application/outgoing/lanes/lane-care';
import { inFamily } from '../../../chains/families';
import type { createGateways } from '../../../chains/gateways';
import { networkOf } from '../../../chains/networks';
import type { UtxoReader } from '../../../chains/utxo/types';
import type { LaneLook, LaneMemory, LaneTroubleKind } from '../../../domain/lanes';
import type { NetworkName } from '../../../domain/networks';
import type { Database } from '../../../entities/database';
import { laneCareStore, type SentCoins } from '../../../entities/outgoing/lane-care.store';

/** An obstacle that lasts for this many blocks needs action. */
const TROUBLE_BLOCKS = 3;
const PER_VBYTE = 1_000n;

type Found = { readonly id: string; readonly transferId: string; readonly trouble: LaneTroubleKind };
type Looking = {
  readonly db: Database;
  readonly reader: UtxoReader;
  readonly gateway: ReturnType<ReturnType<typeof createGateways>>;
  readonly orgId: string;
  readonly lane: { readonly network: NetworkName; readonly address: string };
  readonly isFrozen: boolean;
  readonly memory: LaneMemory | undefined;
};

/**
 * Returns the first transaction whose fee rate, counted with its ancestors, is below the lowest market rate. Skips a
 * transaction if a child already pays for the transaction.
 */
async function find({ reader }: Looking, sent: readonly SentCoins[]): Promise<Found | undefined> {
  const { Slow, Fast } = await reader.feeRates();
  for (const { id, transferId, txHash, isPaidFor, feeCeilingUnits } of sent) {
    const standing = isPaidFor ? undefined : await reader.standing(txHash);
    if (standing?.kind !== 'Waiting') continue;
    const { vbytes, feeUnits } = standing.ancestry;
    if (feeUnits * PER_VBYTE >= Slow.milliUnitsPerVbyte * vbytes) continue;
    // An estimate: the exact fee is known only once the replacement is built.
    const needed = (Fast.milliUnitsPerVbyte * vbytes) / PER_VBYTE;
    return { id, transferId, trouble: needed > BigInt(feeCeilingUnits) ? 'FeesAboveCeiling' : 'Underpriced' };
  }
  return undefined;
}

/**
 * The transactions do not wait for each other, so each transaction is checked separately. The first transaction with too low a
 * fee is reported, and a replacement or a child speeds up the transaction.
 */
export async function careForCoins(looking: Looking): Promise<LaneLook> {
  const { db, gateway, orgId, lane, isFrozen, memory } = looking;
  const note = (found: Found | undefined) =>
    db.withOrg(orgId, (tx) =>
      laneCareStore.note(tx, lane, found ? { kind: found.trouble, nonce: null, transferId: found.transferId } : null),
    );
  const { height } = await gateway.head();
  const sent = await laneCareStore.sentCoins(db.read(orgId), lane);
  const blocksOf = (key: string) => (memory?.found === key ? Math.max(0, height - memory.height) : 0);
  const watched = (key: string): LaneMemory => ({ found: key, height: height - blocksOf(key), count: 0 });
  if (sent.length > 0 && isFrozen) return { kind: 'Watched', memory: watched('Frozen'), trouble: null, acted: false };

  // The oldest transaction goes first, because a later transaction may spend the change of an earlier transaction.
  for (const { rawHex, txHash } of sent) if (!(await gateway.isKnown(txHash))) await gateway.broadcast(rawHex, txHash);
  const found = sent.length === 0 ? undefined : await find(looking, sent);
  if (!found) {
    await note(undefined);
    return { kind: 'Healthy' };
  }
  const key = `Coins:${found.id}:${found.trouble}`;
  const stands = blocksOf(key) >= TROUBLE_BLOCKS;
  await note(stands ? found : undefined);
  const { speedsUpStuck } = inFamily('utxo', networkOf(lane.network));
  const helps = stands && found.trouble === 'Underpriced' && speedsUpStuck !== false;
  const acted = helps && (await db.withOrg(orgId, (tx) => speedUpStuck(tx, lane, found.transferId)));
  return { kind: 'Watched', memory: watched(key), trouble: stands ? found.trouble : null, acted };
}
