import { type ChildProcess, spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../local/free-port';
import { Client } from './client';
import { waitUntil } from './wait-until';

export const START = join(__dirname, '..', '..', 'scripts', 'start.mjs');
const ROOT = join(__dirname, '..', '..');
export const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 60_000;
export const PORT_VARIABLES = [
  'PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'CHAIN_PORT',
  'POSTGRES_PORT',
  'CODEC_PORT',
  'HEALTH_PORT',
  'API_METRICS_PORT',
  'WORKER_METRICS_PORT',
  'SDK_METRICS_PORT',
  'SMTP_PORT',
  'MAILBOX_PORT',
  'VENDORS_PORT',
  'HOME_PORT',
] as const;

export type FirstRun = {
  readonly baseUrl: string;
  readonly mailboxUrl: string;
  readonly vendorsUrl: string;
  readonly temporalUiUrl: string;
  readonly orgId: string;
  readonly users: readonly {
    readonly name: string;
    readonly userId: string;
    readonly token: string;
    readonly credId: string;
    readonly privateKeyPem: string;
  }[];
  readonly chains: { readonly EthereumSepolia: { readonly rpcUrl: string; readonly faucetPrivateKey: string } };
};

export type MetricsPort = Extract<(typeof PORT_VARIABLES)[number], `${string}METRICS_PORT`>;

/** The members of an installation that a test file may use while it shares the installation with other files. */
export type JoinedService = {
  readonly dataFolder: string;
  /** The variables with which our other scripts find this service. */
  readonly env: Readonly<Record<string, string>>;
  readonly firstRun: () => FirstRun;
  readonly userId: (name: 'admin' | 'approver') => string;
  readonly client: (name: 'admin' | 'approver') => Client;
  readonly rpc: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  /** Scrapes these metrics, and returns their text. */
  readonly scrape: (port: MetricsPort) => Promise<string>;
  /** The output of the processes so far. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
};

/** An installation that a file may stop, if the file starts it again. */
export type StoppableService = JoinedService & {
  readonly start: () => Promise<void>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<unknown>;
};

export type Service = StoppableService & {
  readonly pid: () => number;
  /** Stops the service, as Ctrl-C does unless another signal is given. Returns the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

/** An installation of `npm start`: its data folder, and the variables that it adds to the environment. */
export type Installation = { readonly dataFolder: string; readonly more: Readonly<Record<string, string>> };

/** Chooses free ports and a new data folder. `more` also goes into the environment. */
export async function newInstallation(more: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const ports = await Promise.all(PORT_VARIABLES.map(async (name) => [name, String(await freePort())] as const));
  return { dataFolder: mkdtempSync(join(tmpdir(), 'strongroom-e2e-')), more: { ...Object.fromEntries(ports), ...more } };
}

export const environmentOf = ({ dataFolder, more }: Installation) => ({
  ...process.env,
  ...{ STRONGROOM_DATA: dataFolder, NODE_ENV: 'development', DATABASE_URL: '' },
  ...more,
});

export const firstRunOf = ({ dataFolder }: Installation) =>
  JSON.parse(readFileSync(join(dataFolder, 'first-run.json'), 'utf8')) as FirstRun;

/** The calls that a test makes to a running installation, as the two users of `firstRun`. */
export function callsOf({ dataFolder, more }: Installation, firstRun: () => FirstRun) {
  const user = (name: string) => {
    const found = firstRun().users.find((one) => one.name === name);
    if (!found) throw new Error(`There is no user ${name}`);
    return found;
  };
  return {
    ...{ dataFolder, firstRun },
    env: { STRONGROOM_DATA: dataFolder, NODE_ENV: 'development', ...more },
    userId: (name: 'admin' | 'approver') => user(name).userId,
    client: (name: 'admin' | 'approver') => {
      const { token, credId, privateKeyPem } = user(name);
      return new Client(firstRun().baseUrl, { token, credId, privateKey: createPrivateKey(privateKeyPem) });
    },
    rpc: async (method: string, params: readonly unknown[] = []) => {
      const response = await fetch(firstRun().chains.EthereumSepolia.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      return answer.result;
    },
    scrape: async (port: MetricsPort) => (await fetch(`http://127.0.0.1:${more[port]}/metrics`)).text(),
  };
}

/** The whole service as `npm start` runs it, with free ports and its own data folder. `more` goes into its environment. */
export async function createService(more: Readonly<Record<string, string>> = {}): Promise<Service> {
  const installation = await newInstallation(more);
  let child: ChildProcess | undefined;
  let output = '';
  const exited = () =>
    new Promise<number | null>((resolve) =>
      child && child.exitCode === null ? child.once('exit', resolve) : resolve(child?.exitCode ?? null),
    );
  const start = async () => {
    output = '';
    // `more` is read again at each start, because a file can change `more` between two starts.
    const env = { ...environmentOf(installation), ...more };
    child = spawn(process.execPath, [START], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    await waitUntil(
      'the service to be ready',
      () => {
        if (child?.exitCode !== null) throw new Error(`The service ended:\n${output}`);
        return output.includes('Strongroom is ready');
      },
      READY_LIMIT_MS,
    );
  };
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    const ended = exited();
    child?.kill(signal);
    const late = setTimeout(() => child?.kill('SIGKILL'), STOP_LIMIT_MS);
    const code = await ended;
    clearTimeout(late);
    return code;
  };
  return {
    ...callsOf(installation, () => firstRunOf(installation)),
    ...{ start, stop },
    log: () => output,
    pid: () => child?.pid ?? 0,
    close: async () => {
      await stop();
      rmSync(installation.dataFolder, { recursive: true, force: true });
    },
  };
}
