import { freePort } from '../local/free-port';
import { benchParts, inherited, ROOT } from './config';
import { type Rpc, rpcAt } from './rpc';
import { script } from './supervisor';

/** The network with this chain id. */
export const SCANNED = 'EthereumSepolia';
const CHAIN_ID = 11_155_111;
const BLOCK_SECONDS = 1;
const STOP_WITHIN_MS = 3_000;
const CALL = /^(eth|net|web3|txpool|anvil)_\w+$/;

export type PacedChain = {
  readonly url: string;
  readonly pid: number;
  readonly rpc: Rpc;
  /** The number of calls of each method, by all clients. The calls in a batch are counted individually. */
  readonly calls: () => ReadonlyMap<string, number>;
  readonly stop: () => Promise<void>;
};

/** A plain anvil that mines a block every second. It does not store data on the disk. */
export const startPacedChain = (): Promise<PacedChain> => plainChain(['--block-time', `${BLOCK_SECONDS}`]);

/** A plain anvil with additional arguments. */
export async function plainChain(further: readonly string[]): Promise<PacedChain> {
  const { startChild } = script('supervisor/child.mjs');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const calls = new Map<string, number>();
  const child = startChild({
    role: 'chain',
    command: benchParts().anvil,
    args: ['--port', `${port}`, '--chain-id', `${CHAIN_ID}`, ...further, '--no-request-size-limit'],
    env: script('supervisor/roles.mjs').baseEnv(inherited()),
    cwd: ROOT,
    // Anvil prints the name of each method that is called.
    onLine: (line) => {
      if (CALL.test(line)) calls.set(line, (calls.get(line) ?? 0) + 1);
    },
  });
  const rpc = rpcAt(url);
  await script('supervisor/readiness.mjs').untilReady('the paced chain', () =>
    rpc('eth_chainId').then(
      () => undefined,
      (error: unknown) => String(error),
    ),
  );
  return { url, pid: child.pid, rpc, calls: () => new Map(calls), stop: async () => void (await child.stop(STOP_WITHIN_MS)) };
}
