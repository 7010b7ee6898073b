import type { MinedLog } from '../../application/contract-events/logs';
import type { MinedMovement } from '../../application/movements/record';
import { type AssetInfo, listedToken } from '../../application/wallets/asset-info';
import { assetIfAny, assetNamed } from '../../application/wallets/assets';
import type {
  ChainLog,
  ChainSignature,
  CoinLookup,
  KnownCoin,
  Network,
  ChainReader as NetworkReader,
  ScannedBlock,
} from '../../chains/types';
import type { ChainMovement } from '../../domain/movements';
import type { NetworkName } from '../../domain/networks';
import type { Database } from '../../entities/database';
import type { Watched, WatchList } from '../../entities/scans/watch-list';

export type Match = { readonly orgId: string; readonly mined: MinedMovement };
export type LogMatch = { readonly orgId: string; readonly mined: MinedLog };
export type MinedSignature = ChainSignature & { readonly dateMined: Date };
export type AssetLookup = (of: Pick<ChainMovement, 'contract' | 'decimals'>) => Promise<AssetInfo | undefined>;

type Sources = {
  readonly network: Network;
  readonly isWatched: (plain: string) => boolean;
  readonly watchList: Pick<WatchList, 'holdersOf'>;
  readonly coinsOf: CoinLookup;
  readonly assetOf: AssetLookup;
};

type Matches = {
  readonly matches: readonly Match[];
  readonly logs: readonly LogMatch[];
  readonly signatures: readonly MinedSignature[];
};

/**
 * The movements, logs and signatures of the addresses of all organisations in these blocks. Several organisations can have the
 * same address.
 */
export async function matchesIn(
  blocks: readonly ScannedBlock[],
  { network, isWatched, watchList, coinsOf, assetOf }: Sources,
): Promise<Matches> {
  const signatures: MinedSignature[] = [];
  const found: { readonly block: ScannedBlock; readonly movement: ChainMovement }[] = [];
  const foundLogs: { readonly block: ScannedBlock; readonly log: ChainLog }[] = [];
  // A block can spend a coin of an earlier block that is not recorded yet.
  const unrecorded = new Map<string, KnownCoin>();
  for (const block of blocks) {
    const known: CoinLookup = async (txids) => new Map([...(await coinsOf(txids)), ...unrecorded]);
    const contents = await block.contents(isWatched, known);
    signatures.push(...contents.signatures.map((one) => ({ ...one, dateMined: block.date })));
    for (const log of contents.logs ?? []) foundLogs.push({ block, log });
    for (const movement of contents.movements) {
      found.push({ block, movement });
      for (const { vout, amountUnits } of movement.coins ?? [])
        unrecorded.set(`${movement.txHash}:${vout}`, { address: movement.address, amountUnits });
    }
  }
  const addresses = [...found.map(({ movement }) => movement.address), ...foundLogs.flatMap(({ log }) => log.addresses)];
  if (addresses.length === 0) return { matches: [], logs: [], signatures };
  // The holders are grouped by address, because a stranger can fill a block with payments to thousands of watched addresses.
  const holders = new Map<string, Watched[]>();
  for (const one of await watchList.holdersOf(network.name, [...new Set(addresses)])) {
    const of = holders.get(one.address);
    if (of) of.push(one);
    else holders.set(one.address, [one]);
  }
  const matches: Match[] = [];
  for (const {
    block: { height, hash, date },
    movement,
  } of found) {
    const asset = await assetOf(movement);
    for (const { orgId, subjectId } of holders.get(movement.address) ?? [])
      matches.push({ orgId, mined: { subjectId, movement, block: { height, hash, date }, asset } });
  }
  const logs = foundLogs.flatMap(({ block: { height, hash, date }, log }) =>
    log.addresses
      .flatMap((address) => holders.get(address) ?? [])
      .map(({ orgId, subjectId, address }) => ({ orgId, mined: { subjectId, address, log, block: { height, hash, date } } })),
  );
  return { matches, logs, signatures };
}

type Services = { readonly db: Database; readonly readers: (network: NetworkName) => NetworkReader };

const ASSETS_KEPT_MAX = 10_000;

/**
 * The decimals of a token are fixed when the service first sees the token. If the block does not name the decimals, the
 * contract is queried. If the contract does not name the decimals either, the contract is queried again only after a restart of
 * the scanner. Strangers can send any number of worthless tokens.
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
