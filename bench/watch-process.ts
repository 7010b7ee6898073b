import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createScannedAddresses, type ScannedAddresses } from '../activities/scans/scanned-addresses';
import { networkOf } from '../chains/networks';
import { createScanSources } from '../chains/scan-sources';
import { openStrongroomDatabase } from '../entities/data-source';
import { openWatchList } from '../entities/scans/watch-list';
import { residentBytesOf } from './cpu';
import { SCANNED } from './paced-chain';
import { percentile } from './percentiles';
import { serveParent } from './program';

export type WatchOrder =
  | { readonly order: 'load'; readonly workerUrl: string; readonly relayUrl: string }
  | { readonly order: 'match'; readonly url: string; readonly height: number; readonly times: number };
/** The growth by one load: `heldBytes` of the memory that the process keeps, and `residentBytes` of its resident size. */
export type WatchAnswer =
  | { readonly seconds: number; readonly heldBytes: number; readonly residentBytes: number }
  | { readonly p50Ms: number; readonly p99Ms: number; readonly found: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const POOL_MAX = 2;
let addresses: ScannedAddresses | undefined;

function memory(): { readonly heldBytes: number; readonly residentBytes: number } {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heldBytes: heapUsed + external, residentBytes: residentBytesOf(process.pid).anonymousBytes };
}

async function load(workerUrl: string, relayUrl: string): Promise<WatchAnswer> {
  const db = await openStrongroomDatabase({ url: workerUrl, poolMax: POOL_MAX, applicationName: 'bench-watches' });
  const watchList = openWatchList(relayUrl);
  await watchList.load(SCANNED, undefined, () => undefined); // warms the driver up
  const network = networkOf(SCANNED);
  const source = createScanSources({ [SCANNED]: [] })(SCANNED);
  addresses = createScannedAddresses({ db, source, watchList, network, earlierCoins: undefined });
  const before = memory();
  const started = performance.now();
  await addresses.load();
  const seconds = (performance.now() - started) / 1_000;
  const after = memory();
  await watchList.close();
  return {
    seconds,
    heldBytes: after.heldBytes - before.heldBytes,
    residentBytes: after.residentBytes - before.residentBytes,
  };
}

async function match(url: string, height: number, times: number): Promise<WatchAnswer> {
  const source = createScanSources({ [SCANNED]: [url] })(SCANNED);
  const samples: number[] = [];
  let found = 0;
  for (let turn = 0; turn < times; turn += 1) {
    const block = await source.block(height);
    if (block === 'Skipped' || !block || !addresses) throw new Error(`no block ${height}`);
    const started = performance.now();
    const { movements } = await block.contents(addresses.isWatched, async () => new Map());
    samples.push(performance.now() - started);
    found = movements.length;
  }
  return { p50Ms: percentile(samples, 0.5), p99Ms: percentile(samples, 0.99), found };
}

/** Loads addresses as the scanner does, and compares a block with them. */
serveParent(
  (message: WatchOrder): Promise<WatchAnswer> =>
    message.order === 'load' ? load(message.workerUrl, message.relayUrl) : match(message.url, message.height, message.times),
);
