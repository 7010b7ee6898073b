import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createScannedAddresses } from '../activities/scans/scanned-addresses';
import { networkOf } from '../chains/networks';
import { createScanSources } from '../chains/scan-sources';
import { openStrongroomDatabase } from '../entities/data-source';
import { openWatchList } from '../entities/scans/watch-list';
import { residentBytesOf } from './cpu';
import { SCANNED } from './paced-chain';
import { serveParent } from './program';

/** `blocks` are heights of the chain at `url`, whose movements are looked for among the addresses. */
export type WatchOrder = {
  readonly workerUrl: string;
  readonly relayUrl: string;
  readonly url: string;
  readonly blocks: readonly number[];
};
/**
 * `heldBytes` is what the load has added to the memory that the process keeps, and `residentBytes` to its resident size.
 * `matchedMs` has the time for each block.
 */
export type WatchAnswer = {
  readonly seconds: number;
  readonly heldBytes: number;
  readonly residentBytes: number;
  readonly matchedMs: readonly number[];
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const POOL_MAX = 2;

function memory(): { readonly heldBytes: number; readonly residentBytes: number } {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heldBytes: heapUsed + external, residentBytes: residentBytesOf(process.pid).anonymousBytes };
}

async function load({ workerUrl, relayUrl, url, blocks }: WatchOrder): Promise<WatchAnswer> {
  const db = await openStrongroomDatabase({ url: workerUrl, poolMax: POOL_MAX, applicationName: 'bench-watches' });
  const watchList = openWatchList(relayUrl);
  await watchList.load(SCANNED, undefined, () => undefined); // warms the driver up
  const network = networkOf(SCANNED);
  const source = createScanSources({ [SCANNED]: [url] })(SCANNED);
  const addresses = createScannedAddresses({ db, source, watchList, network, earlierCoins: undefined });
  const before = memory();
  const started = performance.now();
  await addresses.load();
  const seconds = (performance.now() - started) / 1_000;
  const after = memory();
  await watchList.close();
  const matchedMs: number[] = [];
  for (const height of blocks) {
    const block = await source.block(height);
    if (block === undefined || block === 'Skipped') throw new Error(`The chain has no block ${height}`);
    const begun = performance.now();
    const { movements } = await block.contents(addresses.isWatched, async () => new Map());
    matchedMs.push(performance.now() - begun);
    if (movements.length > 0) throw new Error('No address of the chain is watched');
  }
  return {
    seconds,
    heldBytes: after.heldBytes - before.heldBytes,
    residentBytes: after.residentBytes - before.residentBytes,
    matchedMs,
  };
}

/** Loads addresses as the scanner does. */
serveParent(load);
