import type { Database, Tx } from '../../entities/database';
import type { ItemPlace } from '../../entities/hash-chains/chain-store';
import { CHAIN_START, linksAfter } from '../../platform/hash-chain';
import type { Chain } from './chains';

/** Bounds the transaction that holds the lock of the head. */
const NUMBERED_MAX = 500;

async function numberPending<Item, Content>(
  tx: Tx,
  { name, store, contentOf, digestOf }: Chain<Item, Content>,
): Promise<ItemPlace[]> {
  const head = await store.lockHead(tx, CHAIN_START);
  const pending = await store.pending(tx, NUMBERED_MAX);
  const links = linksAfter(
    name,
    tx.orgId,
    head,
    pending.map((item) => digestOf(contentOf(item))),
  );
  const places = pending.flatMap(({ id: itemId, seq }, at) => links.slice(at, at + 1).map((link) => ({ ...link, itemId, seq })));
  const last = links.at(-1);
  if (last) await store.append(tx, places, last);
  return places.map(({ itemId, sequence, digest }) => ({ itemId, sequence, digest }));
}

/**
 * Gives a place in the chain to all committed items of the organisation, and returns the new places. Several processes may call
 * this function at once.
 */
export async function numberAll<Item, Content>(
  db: Pick<Database, 'withOrg'>,
  chain: Chain<Item, Content>,
  orgId: string,
): Promise<ReadonlyMap<string, ItemPlace>> {
  const places = new Map<string, ItemPlace>();
  let count = NUMBERED_MAX;
  while (count === NUMBERED_MAX) {
    const placed = await db.withOrg(orgId, (tx) => numberPending(tx, chain));
    for (const place of placed) places.set(place.itemId, place);
    count = placed.length;
  }
  return places;
}
