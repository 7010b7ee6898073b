import { speedUpStuck } from '../../application/lane-care';
import type { createGateways } from '../../chains/gateways';
import type { SolanaNetwork } from '../../chains/solana/types';
import type { LaneLook } from '../../domain/lanes';
import type { Database } from '../../entities/database';
import { laneCareStore } from '../../entities/transfers/lane-care.store';

type Dependencies = { readonly db: Database; readonly gateways: ReturnType<typeof createGateways> };
type Lane = {
  readonly orgId: string;
  readonly network: SolanaNetwork;
  readonly address: string;
  readonly isFrozen: boolean;
};

/** About a minute, as long as a transaction with a blockhash would have lived. */
const STUCK_SLOTS = 150;

/**
 * Solana: transactions do not stand one behind another, and what lives by a blockhash is over by itself. What lives by a durable nonce stays out for
 * ever when no leader takes it at its price, so that it is sent again and, after a while, paid for better.
 */
export async function careForDurable(
  { db, gateways }: Dependencies,
  { orgId, network, address, isFrozen }: Lane,
): Promise<LaneLook> {
  const reader = db.read(orgId);
  const gateway = gateways(network.name);
  const lane = { network: network.name, address };
  const { height } = await gateway.head();
  const sent = await laneCareStore.sentByDurableNonce(reader, lane);
  if (sent.length === 0) return { kind: 'Healthy' };
  const watched = (found: string, acted: boolean): LaneLook => ({
    kind: 'Watched',
    memory: { found, height, count: 0 },
    trouble: null,
    acted,
  });
  // What is frozen is neither sent nor asked for, and whoever froze it knows why nothing moves.
  if (isFrozen) return watched('Frozen', false);
  let acted = false;
  for (const { transferId, rawHex, txHash, slot } of sent) {
    if (await gateway.isKnown(txHash)) continue;
    await gateway.broadcast(rawHex, txHash);
    if (network.speedsUpStuck === false || height - slot < STUCK_SLOTS) continue;
    if (await db.withOrg(orgId, (tx) => speedUpStuck(tx, lane, transferId))) acted = true;
  }
  return watched(sent.map(({ id }) => id).join(), acted);
}
