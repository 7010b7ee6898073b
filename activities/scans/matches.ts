import type { MinedMovement } from '../../application/movements/record';
import { type AssetInfo, listedToken } from '../../application/wallets/asset-info';
import { assetIfAny, assetNamed } from '../../application/wallets/assets';
import type { CoinLookup, KnownCoin, Network, ChainReader as NetworkReader, ScannedBlock } from '../../chains/types';
import type { ChainMovement } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import type { WatchList } from '../../entities/scans/watch-list';

export type Match = { readonly orgId: string; readonly mined: MinedMovement };
export type AssetLookup = (of: Pick<ChainMovement, 'contract' | 'decimals'>) => Promise<AssetInfo | undefined>;

type Sources = {
  readonly network: Network;
  readonly isWatched: (plain: string) => boolean;
  readonly watchList: WatchList;
  readonly coinsOf: CoinLookup;
  readonly assetOf: AssetLookup;
};

/** The movements in the blocks of every wallet of every organisation. One address can belong to several of them. */
export async function matchesIn(
  blocks: readonly ScannedBlock[],
  { network, isWatched, watchList, coinsOf, assetOf }: Sources,
): Promise<Match[]> {
  const found: { readonly block: ScannedBlock; readonly movement: ChainMovement }[] = [];
  // A block can spend a coin of an earlier block that is not recorded yet.
  const unrecorded = new Map<string, KnownCoin>();
  for (const block of blocks) {
    const movements = await block.movements(isWatched, async (txids) => new Map([...(await coinsOf(txids)), ...unrecorded]));
    for (const movement of movements) {
      found.push({ block, movement });
      for (const { vout, amountUnits } of movement.coins ?? [])
        unrecorded.set(`${movement.txHash}:${vout}`, { address: movement.address, amountUnits });
    }
  }
  if (found.length === 0) return [];
  const holders = await watchList.holdersOf(network.name, [...new Set(found.map(({ movement }) => movement.address))]);
  const matches: Match[] = [];
  for (const {
    block: { height, hash, date },
    movement,
  } of found) {
    const asset = await assetOf(movement);
    for (const { orgId, subjectId, address } of holders)
      if (address === movement.address)
        matches.push({ orgId, mined: { subjectId, movement, block: { height, hash, date }, asset } });
  }
  return matches;
}

type Services = { readonly db: Database; readonly readers: (network: NetworkName) => NetworkReader };

const ASSETS_KEPT_MAX = 10_000;

/**
 * Decimals are pinned at the first sight of a token. A contract is asked unless the block names the decimals. A contract that
 * names none is asked again only after the scanner's restart: a stranger can send any number of worthless tokens.
 */
export function createAssetLookup(services: Services, network: Network): AssetLookup {
  const known = new Map<string, AssetInfo | undefined>();
  return async ({ contract, decimals }) => {
    if (contract === undefined) return { ...network.nativeAsset, verified: true };
    const listed = listedToken(network, contract);
    if (listed && (decimals ?? listed.decimals) === listed.decimals) return listed;
    const key = `${contract} ${decimals ?? ''}`;
    if (known.has(key)) return known.get(key);
    const asset = await (decimals === undefined
      ? assetIfAny(services, network.name, { kind: 'Erc20', contract })
      : assetNamed(services.db, network.name, contract, decimals));
    if (known.size >= ASSETS_KEPT_MAX) known.clear();
    known.set(key, asset);
    return asset;
  };
}
