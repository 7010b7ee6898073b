import { setTimeout as delay } from 'node:timers/promises';
import { createScanner } from '../activities/scans/scanner';
import { createGateways } from '../chains/gateways';
import { networkOf } from '../chains/networks';
import { createScanSources } from '../chains/scan-sources';
import type { NetworkName } from '../domain/networks';
import { openStrongroomDatabase } from '../entities/data-source';
import { openWatchList } from '../entities/scans/watch-list';
import { exactCpuMsOf } from './cpu';
import { serveParent } from './program';

export type IdleOrder = {
  readonly networks: readonly NetworkName[];
  readonly url: string;
  readonly workerUrl: string;
  readonly relayUrl: string;
  readonly warmUpMs: number;
  readonly measuredMs: number;
};
export type IdleAnswer = { readonly cpuMs: number; readonly seconds: number };

const POOL_MAX = 8;

/** Runs the scanners of these networks as one worker does. All scanners use the same node. */
serveParent(async ({ networks, url, workerUrl, relayUrl, warmUpMs, measuredMs }: IdleOrder): Promise<IdleAnswer> => {
  const db = await openStrongroomDatabase({ url: workerUrl, poolMax: POOL_MAX, applicationName: 'bench-idle' });
  const rpcUrls = Object.fromEntries(networks.map((name) => [name, [url]]));
  const [watchList, sources, gateways] = [openWatchList(relayUrl), createScanSources(rpcUrls), createGateways(rpcUrls)];
  let isEnded = false;
  const run = async (name: NetworkName): Promise<void> => {
    const network = networkOf(name);
    const scanner = createScanner({
      ...{ db, network, watchList, source: sources(name), gateway: gateways(name) },
      assetOf: async () => undefined,
      signer: { wasSigned: () => Promise.reject(new Error('no wallet of the bench signs')) },
      onForeign: () => undefined,
    });
    while (!isEnded) {
      const { pauseMs } = await scanner.step();
      await delay(pauseMs);
    }
  };
  const all = Promise.all(networks.map(run));
  const measured = (async () => {
    await delay(warmUpMs);
    const [cpuBeforeMs, started] = [exactCpuMsOf(process.pid), performance.now()];
    await delay(measuredMs);
    const answer = { cpuMs: exactCpuMsOf(process.pid) - cpuBeforeMs, seconds: (performance.now() - started) / 1_000 };
    isEnded = true;
    return answer;
  })();
  const [answer] = await Promise.all([measured, all]);
  return answer;
});
