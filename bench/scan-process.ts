import { createAssetLookup } from '../activities/scans/matches';
import { createScanner, type Scanner } from '../activities/scans/scanner';
import { createGateways } from '../chains/gateways';
import { networkOf } from '../chains/networks';
import { createReaders } from '../chains/readers';
import { createScanSources } from '../chains/scan-sources';
import { openStrongroomDatabase } from '../entities/data-source';
import { openWatchList } from '../entities/scans/watch-list';
import { exactCpuMsOf } from './cpu';
import { SCANNED } from './paced-chain';
import { serveParent } from './program';

export type ScanOrder =
  | { readonly order: 'floor'; readonly url: string; readonly toHeight: number }
  | { readonly order: 'scan'; readonly url: string; readonly workerUrl: string; readonly relayUrl: string };
/** `maxBytes` is the largest resident size so far. */
export type ScanAnswer = { readonly seconds: number; readonly cpuMs: number; readonly maxBytes: number };

const BYTES_PER_KIB = 1_024;
const POOL_MAX = 4;

const measured = async (work: () => Promise<void>): Promise<ScanAnswer> => {
  const [cpuBeforeMs, started] = [exactCpuMsOf(process.pid), performance.now()];
  await work();
  return {
    seconds: (performance.now() - started) / 1_000,
    cpuMs: exactCpuMsOf(process.pid) - cpuBeforeMs,
    maxBytes: process.resourceUsage().maxRSS * BYTES_PER_KIB,
  };
};

/** Reads and proves every block without storing it. */
async function readAll(url: string, toHeight: number): Promise<void> {
  const source = createScanSources({ [SCANNED]: [url] })(SCANNED);
  for (let from = 1; from <= toHeight; from += source.blocksAtOnce) {
    const count = Math.min(source.blocksAtOnce, toHeight - from + 1);
    await Promise.all(Array.from({ length: count }, (_, at) => source.block(from + at)));
  }
}

async function openScanner(url: string, workerUrl: string, relayUrl: string): Promise<Scanner> {
  const db = await openStrongroomDatabase({ url: workerUrl, poolMax: POOL_MAX, applicationName: 'bench-scanner' });
  const [network, rpcUrls] = [networkOf(SCANNED), { [SCANNED]: [url] }];
  return createScanner({
    ...{ db, network, watchList: openWatchList(relayUrl), source: createScanSources(rpcUrls)(SCANNED) },
    gateway: createGateways(rpcUrls)(SCANNED),
    assetOf: createAssetLookup({ db, readers: createReaders(rpcUrls) }, network),
    signer: { wasSigned: () => Promise.reject(new Error('no wallet of the bench signs')) },
    onForeign: () => undefined,
  });
}

/** Runs only the scanner or, as the floor, only the part that reads blocks. */
serveParent(async (message: ScanOrder): Promise<ScanAnswer> => {
  if (message.order === 'floor') return measured(() => readAll(message.url, message.toHeight));
  const scanner = await openScanner(message.url, message.workerUrl, message.relayUrl);
  return measured(async () => {
    for (let isBehind = true; isBehind; ) isBehind = (await scanner.step()).behindBlocks > 0;
  });
});
