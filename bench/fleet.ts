import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as PostgresClient } from 'pg';
import { z } from 'zod';
import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { ROOT } from './config';
import { cpuMsOf, memoryBytesOf } from './cpu';
import { createFleetRoom, type FleetRoom } from './fleet-room';
import { temporalClientOf } from './floors/floors';
import { percentile } from './percentiles';
import { type Stack, startStack } from './stack';

const NETWORK = 'EthereumSepolia';
const FOUNDERS = { 'D-1': 'device', 'P-1': 'provisioner', 'P-2': 'provisioner', 'P-3': 'provisioner', 'M-1': 'operator' };
const GENESIS_KEYS = 100;
const HARVEST_KEYS = 1_000;
const CARRIED = 200;
const WAITING = 10_000;
const PROBES = 200;
const CREATED_AT_ONCE = 8;
const ASKED_AT_ONCE = 24;
const QUIET_MS = 30_000;
const SETTLE_MS = 5_000;
const WAITS_WITHIN_MS = 900_000;
const LOOK_EVERY_MS = 50;
const BYTES_PER_MB = 1_000_000;
/** More than all transfers of a bench can spend, in wei. */
const FUNDS_HEX = `0x${(10n ** 24n).toString(16)}`;

const Id = z.object({ id: z.string() });
const Wallet = z.object({ id: z.string(), address: z.string() });
const Stores = z.object({ items: z.array(z.object({ id: z.string(), kind: z.string() })) });

type Context = {
  readonly stack: Stack;
  readonly room: FleetRoom;
  readonly postgres: PostgresClient;
  readonly say: (line: string) => void;
};

/** Measures ceremonies of an offline key store, a group of signatures, and the cost of requests that wait for a device. */
export const fleet: Bench = {
  name: 'fleet',
  run: async ({ size, say }) => {
    const operator = generateKeyPairSync('ed25519');
    const publicHex = operator.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    const moreEnv = (role: string) => (role === 'signer' ? { SIGNER_OPERATOR_KEY: publicHex } : {});
    const stack = await startStack({ kind: 'embedded', say, moreEnv });
    const postgres = new PostgresClient({ connectionString: stack.superuserUrl });
    try {
      await postgres.connect();
      const key = join(stack.dataFolder, 'operator.pem');
      writeFileSync(key, operator.privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
      const storeId = await addedStore(stack, key);
      const people = { storeId, maker: stack.client('admin'), reviewer: stack.client('approver') };
      const context: Context = { stack, postgres, say, room: createFleetRoom(join(stack.dataFolder, 'room'), people) };
      const ceremonies = [...(await genesisFigures(context)), ...(await harvestFigures(context))];
      const wallets = await walletsOf(stack, storeId);
      const carried = await carriedFigures(context, wallets, CARRIED);
      const waiting = await waitingFigures(
        context,
        wallets,
        Math.max(20, Math.round(WAITING * size)),
        QUIET_MS * Math.min(1, size),
      );
      return [...ceremonies, ...carried, ...waiting];
    } finally {
      await postgres.end();
      await stack.stop();
    }
  },
};

/** The operator of the service adds the store, and the worker shows it. */
async function addedStore({ orgId, dataFolder, client }: Stack, key: string): Promise<string> {
  const program = join(ROOT, 'dist', 'operator', 'main.js');
  const words = ['key-store', 'add', '--org', orgId, '--name', 'Vault', '--key', key];
  const env = { SIGNER_STATE_DIR: join(dataFolder, 'signer') };
  const { status, stderr } = spawnSync(process.execPath, [program, ...words], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The store was not added: ${stderr}`);
  return until('the store is listed', async () => {
    const { items } = await client('admin').get('/key-stores', Stores);
    return items.find(({ kind }) => kind === 'OfflineSigner')?.id;
  });
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + WAITS_WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`This did not happen in time: ${what}`);
    await delay(LOOK_EVERY_MS);
  }
}

async function genesisFigures({ room }: Context): Promise<readonly Figure[]> {
  await room.makeIdentities(FOUNDERS);
  const { text } = await room.archive('genesis', {
    ...{ kind: 'Genesis', numProvisioners: 3, numSecp256k1: GENESIS_KEYS, numEd25519: 0, hsmGenesisSerial: 'D-1' },
  });
  const cards = ['P-1', 'P-2', 'P-3'].flatMap((machine) => ['--provisioner', room.card(machine)]);
  const made = await room.make('D-1', 'genesis', text, { words: [...cards, '--operator', room.card('M-1')] });
  const verified = await room.submit('genesis', made);
  const approved = await room.approve(made);
  await room.followsOn('M-1', made);
  return [
    {
      name: `genesis with ${GENESIS_KEYS} keys on the device`,
      value: made.seconds,
      unit: 's',
      aim: { atMost: 1 },
      note: 'from the last typed answer until the files are written',
    },
    { name: `${GENESIS_KEYS} keys verified, response to the output`, value: verified, unit: 's', aim: { atMost: 2 } },
    { name: `${GENESIS_KEYS} keys verified again by the signer and usable`, value: approved, unit: 's' },
  ];
}

async function harvestFigures({ stack, room }: Context): Promise<readonly Figure[]> {
  const sign = await softwareSignatures(stack);
  const alone = await closedLoop(PROBES, 1, sign);
  const { text } = await room.archive('key-harvest', {
    ...{
      kind: 'KeyHarvest',
      hsmTargetSerial: 'D-1',
      macTargetSerial: 'M-1',
      macTargetUsername: 'Ada',
      numSecp256k1: HARVEST_KEYS,
    },
  });
  const made = await room.make('D-1', 'harvest', text, { agreedBy: 'M-1' });
  const beside: number[] = [];
  let isVerifying = true;
  const probe = (async () => {
    while (isVerifying) beside.push(...(await closedLoop(1, 1, sign)).latenciesMs);
  })();
  const verified = await room.submit('key-harvest', made);
  const approved = await room.approve(made);
  isVerifying = false;
  await probe;
  const figure = (what: string, latencies: readonly number[], share: number): Figure => ({
    name: `signature of a software key ${what}, p${100 * share}`,
    ...{ value: percentile(latencies, share), unit: 'ms' },
  });
  return [
    { name: `harvest of ${HARVEST_KEYS} keys on the device`, value: made.seconds, unit: 's' },
    { name: `${HARVEST_KEYS} keys verified, response to the output`, value: verified, unit: 's', aim: { atMost: 8 } },
    { name: `${HARVEST_KEYS} keys verified again by the signer and usable`, value: approved, unit: 's' },
    ...[0.5, 0.99].map((share) => figure('alone', alone.latenciesMs, share)),
    ...[0.5, 0.99].map((share) => figure('beside both verifications', beside, share)),
  ];
}

/** Returns a function that signs a hash with a new key of the software store. */
async function softwareSignatures(stack: Stack): Promise<() => Promise<unknown>> {
  const admin = stack.client('admin');
  const { id } = await admin.change('POST', '/keys', { scheme: 'ECDSA', curve: 'secp256k1' }, Id);
  let count = 0;
  return () => {
    const hash = `0x${(++count).toString(16).padStart(64, '0')}`;
    return admin.change('POST', `/keys/${id}/signatures`, { kind: 'Hash', hash }, z.object({ status: z.literal('Signed') }));
  };
}

async function walletsOf({ client, rpc }: Stack, storeId: string): Promise<readonly string[]> {
  const wallets: string[] = [];
  await closedLoop(GENESIS_KEYS, CREATED_AT_ONCE, async () => {
    const { id, address } = await client('admin').change(
      'POST',
      '/wallets',
      { network: NETWORK, signingKey: { storeId } },
      Wallet,
    );
    await rpc('anvil_setBalance', [address, FUNDS_HEX]);
    wallets.push(id);
  });
  return wallets;
}

/** Requests transfers of the wallets in turn, and returns their ids when all wait for a device. */
async function askFor({ stack, postgres }: Context, wallets: readonly string[], count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let asked = 0;
  await closedLoop(count, ASKED_AT_ONCE, async () => {
    const path = `/wallets/${wallets[asked++ % wallets.length]}/transfers`;
    const body = { kind: 'Native', to: `0x${'ab'.repeat(20)}`, amount: '1000' };
    ids.push((await stack.client('admin').change('POST', path, body, Id)).id);
  });
  await until('all requests wait for a device', async () => {
    const { rows } = await postgres.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM offline_requests WHERE request_id = ANY ($1)',
      [ids],
    );
    return rows[0]?.count === count ? true : undefined;
  });
  return ids;
}

async function carriedFigures(context: Context, wallets: readonly string[], count: number): Promise<readonly Figure[]> {
  const { room, postgres, say } = context;
  const ids = await askFor(context, wallets, count);
  say(`${count} transfers wait for the device`);
  const { text, seconds } = await room.archive('onchain-sign', {});
  const made = await room.make('D-1', 'sign', text);
  const started = performance.now();
  const accepted = await room.submit('onchain-sign', made);
  await until('all transfers are broadcast', async () => {
    const { rows } = await postgres.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM transfers WHERE id = ANY ($1) AND state IN ('Broadcasted', 'Confirmed')`,
      [ids],
    );
    return rows[0]?.count === count ? true : undefined;
  });
  return [
    { name: `archive of ${count} signatures`, value: seconds, unit: 's', aim: { atMost: 2 } },
    { name: `${count} signatures on the device`, value: made.seconds, unit: 's' },
    { name: `output of ${count} signatures accepted`, value: accepted, unit: 's' },
    {
      name: `${count} transfers broadcast after the output`,
      value: (performance.now() - started) / 1_000,
      unit: 's',
      aim: { atMost: 30 },
    },
  ];
}

async function waitingFigures(
  context: Context,
  wallets: readonly string[],
  count: number,
  quietMs: number,
): Promise<readonly Figure[]> {
  const { stack, say } = context;
  const worker = stack.pids().get('worker') ?? 0;
  await delay(SETTLE_MS);
  const before = { bytes: memoryBytesOf(worker), cpu: await quietCpu(worker, quietMs) };
  const ids = await askFor(context, wallets, count);
  say(`${count} transfers wait for the device`);
  const temporal = temporalClientOf(stack);
  const eventsOf = async () => {
    let events = 0;
    for (const id of ids.slice(0, PROBES)) events += (await temporal.workflow.getHandle(id).describe()).historyLength;
    return events;
  };
  try {
    await delay(SETTLE_MS);
    const events = await eventsOf();
    const cpu = await quietCpu(worker, quietMs);
    const grown = (await eventsOf()) - events;
    return [
      {
        name: `worker, growth with ${count} waiting requests`,
        value: (memoryBytesOf(worker) - before.bytes) / BYTES_PER_MB,
        unit: 'MB',
        aim: { atMost: 100 },
      },
      { name: 'worker, CPU before', value: before.cpu, unit: 'percent' },
      { name: `worker, CPU with ${count} waiting requests`, value: cpu, unit: 'percent' },
      { name: 'events in 200 waiting histories meanwhile', value: grown, unit: 'count', aim: { atMost: 0 } },
    ];
  } finally {
    await temporal.connection.close();
  }
}

/** The CPU time of a process in percent of one core. */
async function quietCpu(pid: number, windowMs: number): Promise<number> {
  const [beforeMs, started] = [cpuMsOf(pid), performance.now()];
  await delay(windowMs);
  return (100 * (cpuMsOf(pid) - beforeMs)) / (performance.now() - started);
}
