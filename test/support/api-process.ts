import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = join(__dirname, '..', '..', 'dist', 'api', 'main.js');

export type ApiSettings = {
  readonly databaseUrl: string;
  readonly tokenKey: string;
  readonly dataKek: string;
  readonly rpcUrls: Readonly<Record<string, readonly string[]>>;
  readonly temporalAddress?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
};

export const newTokenKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

/** Starts the compiled API on a free port. The process writes to a pipe or to an open file. */
export function spawnApi(settings: ApiSettings, output: 'pipe' | number, nodeArgs: readonly string[] = []): ChildProcess {
  if (!existsSync(MAIN)) throw new Error('dist/ is missing: run `npm run build` before this test');
  return spawn(process.execPath, [...nodeArgs, MAIN], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      PORT: '0',
      HOSTS: '127.0.0.1',
      DATABASE_URL: settings.databaseUrl,
      TOKEN_KEY: settings.tokenKey,
      DATA_KEK: settings.dataKek,
      NETWORK_RPC_URLS: JSON.stringify(settings.rpcUrls),
      TEMPORAL_ADDRESS: settings.temporalAddress ?? '127.0.0.1:9',
      // All callers of all tests share one address, so the limits are raised. The tests of the limits set their own.
      RATE_LIMITS: '{"scale":1000}',
      ...settings.env,
    },
    stdio: ['ignore', output, output],
  });
}

/** The address in the line in which the API reports that it listens. */
export function listeningAt(text: string): string | undefined {
  const port = /"port":(\d+).*"msg":"listening"/.exec(text)?.[1];
  return port === undefined ? undefined : `http://127.0.0.1:${port}`;
}
