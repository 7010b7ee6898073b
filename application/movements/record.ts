import { networkOf } from '../../chains/networks';
import type { ChainMovement } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';
import { type MicroPrices, type Quotes, quotesOf } from '../../domain/prices';
import type { Tx } from '../../entities/database';
import { movementStore, type NewMovement } from '../../entities/movements/movement.store';
import { receivedCoinStore } from '../../entities/scans/received-coin.store';
import { type BlockPlace, scanStore } from '../../entities/scans/scan.store';
import { derivedId } from '../../platform/ids';
import { pricesOf } from '../outgoing/quotes';
import type { AssetInfo } from '../wallets/asset-info';
import { noteMoved } from './holdings';
import { reportMovements } from './report';

export type MinedMovement = {
  readonly subjectId: string;
  readonly movement: ChainMovement;
  readonly block: BlockPlace & { readonly date: Date };
  /** Undefined for a token whose decimals are unknown. */
  readonly asset: AssetInfo | undefined;
};

/** Movements in older blocks are not quoted, because today's prices would be wrong for them. */
const QUOTED_WITHIN_MS = 600_000;

/**
 * Writes the movements of one organisation in these blocks, with their coins and events. A repeated call writes nothing. Writes
 * nothing and returns false if a reorganisation has removed one of the blocks in the meantime.
 */
export async function recordMovements(
  tx: Tx,
  name: NetworkName,
  blocks: readonly BlockPlace[],
  mined: readonly MinedMovement[],
): Promise<boolean> {
  if (!(await scanStore.areRead(tx, name, blocks))) return false;
  const now = await tx.clock();
  const recent = mined.filter(({ block }) => now.getTime() - block.date.getTime() < QUOTED_WITHIN_MS);
  const prices = await pricesOfAssets(tx, name, recent);
  const written = await movementStore.put(
    tx,
    mined.map((one) => rowOf(name, one, prices)),
  );
  await receivedCoinStore.put(tx, name, mined.flatMap(coinsIn));
  await reportMovements(tx, written, 'wallet.blockchain_event.transfer.included');
  return true;
}

/**
 * Writes final movements of blocks that were read later for one subject, and returns the number of new rows. From `knownSince`
 * on, the service knew the subject. A movement from that time is written as `Included`, and the scanner later confirms it, with
 * the usual events and judgements. An earlier movement only becomes history, without an event or a judgement. A repeated call
 * writes nothing.
 */
export async function recordEarlierMovements(
  tx: Tx,
  name: NetworkName,
  mined: readonly MinedMovement[],
  knownSince: Date,
): Promise<number> {
  const put = (some: readonly MinedMovement[], status: 'Included' | 'Confirmed') =>
    movementStore.put(
      tx,
      some.map((one) => rowOf(name, one, unpriced)),
      status,
    );
  const due = await put(
    mined.filter(({ block }) => block.date >= knownSince),
    'Included',
  );
  await reportMovements(tx, due, 'wallet.blockchain_event.transfer.included');
  const earlier = await put(
    mined.filter(({ block }) => block.date < knownSince),
    'Confirmed',
  );
  await noteMoved(tx, earlier);
  return due.length + earlier.length;
}

const unpriced: Priced = () => ({ quotes: null, feeQuotes: null });

const coinsIn = ({ subjectId, movement: { txHash: txid, coins = [] } }: MinedMovement) =>
  coins.map((coin) => ({ subjectId, txid, ...coin }));

type Priced = (one: MinedMovement) => { readonly quotes: Quotes | null; readonly feeQuotes: Quotes | null };

async function pricesOfAssets(tx: Tx, name: NetworkName, mined: readonly MinedMovement[]): Promise<Priced> {
  const { decimals } = networkOf(name).nativeAsset;
  const asked = [{ contract: null, decimals }, ...mined.flatMap(({ movement, asset }) => askedOf(movement, asset))];
  const known = mined.length === 0 ? [] : await pricesOf(tx, name, asked);
  const isRecent = new Set(mined);
  const byContract = new Map(asked.map(({ contract }, index) => [contract, known[index] ?? {}]));
  return (one) => {
    if (!isRecent.has(one)) return unpriced(one);
    const { movement, asset } = one;
    const isUnpriced = asset === undefined || movement.tokenId !== undefined;
    return {
      quotes: isUnpriced ? null : quotesOrNull(byContract.get(movement.contract ?? null)),
      feeQuotes: movement.feeUnits === undefined ? null : quotesOrNull(byContract.get(null)),
    };
  };
}

const askedOf = ({ contract }: ChainMovement, asset: AssetInfo | undefined) =>
  contract === undefined || asset === undefined ? [] : [{ contract, decimals: asset.decimals }];

function quotesOrNull(prices: MicroPrices | undefined): Quotes | null {
  const quotes = quotesOf(prices ?? {});
  return Object.keys(quotes).length === 0 ? null : quotes;
}

function rowOf(network: NetworkName, one: MinedMovement, priced: Priced): NewMovement {
  const { subjectId, movement, block, asset } = one;
  const { txHash, ordinal, direction, kind } = movement;
  return {
    subjectId,
    // The log's index within the block is not part of the id, because a reorganisation can change the index.
    id: derivedId('movement', [network, txHash, ordinal, subjectId, direction]),
    ...{ network, direction, kind, txHash, ordinal },
    blockHeight: String(block.height),
    blockHash: block.hash,
    dateMined: block.date,
    place: String(movement.place),
    logIndex: movement.logIndex ?? null,
    contract: movement.contract ?? null,
    tokenId: movement.tokenId ?? null,
    fromAddress: movement.from ?? null,
    toAddress: movement.to ?? null,
    fromAddresses: movement.froms ?? null,
    toAddresses: movement.tos ?? null,
    amountUnits: movement.amountUnits?.toString() ?? null,
    feeUnits: movement.feeUnits?.toString() ?? null,
    symbol: asset?.symbol ?? null,
    decimals: asset?.decimals ?? null,
    isVerified: asset?.verified ?? false,
    isReverted: movement.isReverted ?? false,
    ...priced(one),
  };
}
