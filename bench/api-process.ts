import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inherited, ROOT } from './config';

type Options = {
  readonly appUrl: string;
  readonly tokenKey: string;
  readonly poolMax: number;
  /** The value of `NETWORK_RPC_URLS`. Without this value the API does not enable any network. */
  readonly rpcUrls?: string;
};
export type ApiProcess = { readonly origin: string; readonly pid: number; readonly stop: () => Promise<void> };

const LISTENING = /"port":(\d+).*"msg":"listening"/;
/** No process listens at this address, because the measured requests do not need Temporal. */
const NO_TEMPORAL = '127.0.0.1:9';

/**
 * The real API in production mode, without the other processes of the service. The API writes its log as in production, and
 * this function discards the log.
 */
export async function startApi({ appUrl, tokenKey, poolMax, rpcUrls = '{}' }: Options): Promise<ApiProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'api', 'main.js')], {
    env: {
      PATH: inherited()['PATH'],
      NODE_ENV: 'production',
      PORT: '0',
      HOSTS: '127.0.0.1',
      DATABASE_URL: appUrl,
      DATABASE_POOL_MAX: String(poolMax),
      TOKEN_KEY: tokenKey,
      // One user sends all requests, so the limits are high. The API still counts the requests.
      RATE_LIMITS: '{"scale":1000}',
      DATA_KEK: randomBytes(32).toString('hex'),
      TEMPORAL_ADDRESS: NO_TEMPORAL,
      TEMPORAL_TLS: 'false',
      NETWORK_RPC_URLS: rpcUrls,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const port = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [, found] = LISTENING.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    void exited.then(([code]) => reject(new Error(`the API ended with ${code}`)));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
