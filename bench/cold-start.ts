import { generateKeyPairSync } from 'node:crypto';
import { startApi } from './api-process';
import type { Figure } from './bench';
import { memoryBytesOf } from './cpu';
import { median } from './percentiles';
import { startBenchPostgres } from './postgres';

const STARTS = 5;
const POOL_MAX = 10;
const AIMS = { seconds: 1.5, megabytes: 250 } as const;
const BYTES_PER_MB = 1_000_000;
const SILENT_NODE = 'http://127.0.0.1:9';
/** These networks cover every chain family, so that the API loads all codecs. */
const NETWORKS = ['EthereumSepolia', 'OptimismSepolia', 'BitcoinSignet', 'LitecoinTestnet', 'SolanaDevnet'];

/** Measures the time from the start of the API until the API listens, and the memory of the API at that time. */
export async function coldStart(size: number): Promise<readonly Figure[]> {
  const postgres = await startBenchPostgres();
  const tokenKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const rpcUrls = JSON.stringify(Object.fromEntries(NETWORKS.map((name) => [name, [SILENT_NODE]])));
  try {
    const seconds: number[] = [];
    const megabytes: number[] = [];
    for (let start = 0; start < Math.max(1, Math.round(STARTS * size)); start += 1) {
      const began = performance.now();
      const api = await startApi({ appUrl: postgres.appUrl, tokenKey, poolMax: POOL_MAX, rpcUrls });
      seconds.push((performance.now() - began) / 1_000);
      megabytes.push(memoryBytesOf(api.pid) / BYTES_PER_MB);
      await api.stop();
    }
    const note = `networks of every family configured, median of ${seconds.length}`;
    return [
      { name: 'cold start of the API', value: median(seconds), unit: 's', aim: { atMost: AIMS.seconds }, note },
      { name: 'memory of the API after its start', value: median(megabytes), unit: 'MB', aim: { atMost: AIMS.megabytes } },
    ];
  } finally {
    await postgres.close();
  }
}
