import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCoinChain } from '../../local/bitcoin';
import { coinConfig } from '../../local/config';

export const COIN_NETWORKS = {
  bitcoin: 'BitcoinSignet',
  litecoin: 'LitecoinTestnet',
  bitcoincash: 'BitcoinCashTestnet',
} as const;
export type CoinKind = keyof typeof COIN_NETWORKS;

export type TestCoinChain = {
  readonly url: string;
  readonly call: <T = unknown>(method: string, ...params: unknown[]) => Promise<T>;
  readonly close: () => Promise<void>;
};

export async function askCoinNode<T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '1.0', id: 1, method, params });
  const reply = await fetch(url, { method: 'POST', body });
  const text = await reply.text();
  // If the node refuses a request of a test, the local chain responds in plain text.
  if (!text.startsWith('{')) throw new Error(`${method}: ${text}`);
  const { result, error } = JSON.parse(text) as { result: T; error?: { message: string } | null };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** A real node on regtest that mines only on demand, behind the proxy of the local trial. */
export async function startTestCoinChain(kind: CoinKind): Promise<TestCoinChain> {
  const nodes = JSON.parse(process.env['COIN_NODES'] ?? '{}') as Readonly<Record<CoinKind, unknown>>;
  const folder = mkdtempSync(join(tmpdir(), 'strongroom-coins-'));
  const config = coinConfig({
    ...{ COIN_KIND: kind, COIN_NETWORK: COIN_NETWORKS[kind], COIN_FOLDER: folder, COIN_NODE: JSON.stringify(nodes[kind]) },
    COIN_PORT: '0',
  });
  const chain = await startCoinChain(config, () => undefined);
  const call = <T>(method: string, ...params: unknown[]) => askCoinNode<T>(chain.url, method, params);
  await call('strongroom_setMining', false);
  return {
    url: chain.url,
    call,
    close: async () => {
      await chain.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
