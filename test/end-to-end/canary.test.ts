import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as TemporalClient } from '@temporalio/client';
import { defaultDataConverter, type Payload } from '@temporalio/common';
import { Client as PgClient } from 'pg';
import { freePort } from '../../local/free-port';
import { createTemporalClient } from '../../platform/temporal-client';
import { filesIn, formsOf, foundIn, foundInMemory, programPid, secretsOfSigner } from '../support/canary';
import { postSecrets } from '../support/secret-bodies';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, send } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`;

let service: Service;
let ports: { readonly postgres: number; readonly temporal: number };
/** This value is in the environment of API and worker, and therefore in their memory. A search of the memory must find it. */
const memoryCanary = randomBytes(32);
let secrets: Record<string, readonly Buffer[]>;
/** The secrets that callers post. No search may find them, except that the memory of the API may contain them for a while. */
let posted: Record<string, readonly Buffer[]>;
let database: PgClient;

const read = (...path: string[]) => readFileSync(join(service.dataFolder, ...path), 'utf8');

beforeAll(async () => {
  ports = { postgres: await freePort(), temporal: await freePort() };
  service = await createService({
    POSTGRES_PORT: String(ports.postgres),
    TEMPORAL_PORT: String(ports.temporal),
    OTEL_CANARY: memoryCanary.toString('hex'),
  });
  await service.start();
  const admin = service.client('admin');
  const wallets = [await fundedWallet(service, admin), await fundedWallet(service, admin)];
  for (const wallet of wallets) {
    const sent = await send(admin, wallet.id);
    expect(await ended(admin, wallet.id, sent.id)).toMatchObject({ status: 'Confirmed' });
  }
  posted = Object.fromEntries(Object.entries(await postSecrets(admin)).map(([name, bytes]) => [name, formsOf(bytes)]));
  secrets = await secretsOfSigner(service.dataFolder);
  database = new PgClient({
    host: '127.0.0.1',
    port: ports.postgres,
    user: 'postgres',
    password: (JSON.parse(read('secrets', 'database.json')) as { superuser: string }).superuser,
    database: 'strongroom',
  });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await service?.close();
});

/** Creates a secret that a test puts where no secret may be, to show that the search finds secrets there. */
function plant() {
  const canary = randomBytes(32);
  return { canary, planted: { planted: formsOf(canary) } };
}

test('the tests search for real secrets: the key-encryption key, a data key and a key for each wallet', () => {
  const kinds = Object.keys(secrets).map((name) => name.replace(/ .*/, ''));
  expect(kinds.filter((kind) => kind === 'key').length).toBeGreaterThanOrEqual(2);
  expect(kinds).toEqual(expect.arrayContaining(['kek', 'data']));
});

async function dump(): Promise<string> {
  const { rows } = await database.query<{ name: string }>(TABLES);
  const texts: string[] = [];
  for (const { name } of rows) {
    const { rows: lines } = await database.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
    texts.push(...lines.map(({ line }) => line));
  }
  return texts.join('\n');
}

test('no table or column of the database contains a secret', async () => {
  expect(foundIn(await dump(), { ...secrets, ...posted })).toEqual([]);
  for (const form of ['text', 'bytea'] as const) {
    const { canary, planted } = plant();
    await database.query(`CREATE TABLE canary (value ${form})`);
    await database.query('INSERT INTO canary VALUES ($1)', [form === 'text' ? canary.toString('base64') : canary]);
    const found = foundIn(await dump(), planted);
    await database.query('DROP TABLE canary');
    expect(found).toEqual(['planted']);
  }
});

const isPayload = (value: object): value is Payload => 'metadata' in value && 'data' in value && value.data instanceof Uint8Array;

test('no workflow history in Temporal contains a secret, either as stored or decoded', async () => {
  const namespace = 'default';
  const address = { connectionOptions: { address: `127.0.0.1:${ports.temporal}` }, namespace };
  const client = createTemporalClient(address, Buffer.from(read('secrets', 'data-kek').trim(), 'hex'));
  const codecs = client.options.loadedDataConverter.payloadCodecs;
  /** Every payload of every event, both raw and decoded as by the worker. */
  const histories = async () => {
    const texts: string[] = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      const payloads: Payload[] = [];
      const collect = (value: unknown): void => {
        if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
        if (isPayload(value)) payloads.push(value);
        for (const part of Object.values(value)) collect(part);
      };
      collect(history);
      texts.push(JSON.stringify(history));
      for (const payload of payloads) {
        texts.push(Buffer.from(payload.data ?? []).toString('latin1'));
        const decoded = await Promise.all(codecs.map((codec) => codec.decode([payload]).catch(() => [])));
        texts.push(...decoded.flat().map(({ data }) => Buffer.from(data ?? []).toString('latin1')));
      }
    }
    return Buffer.from(texts.join('\n'), 'latin1');
  };
  const all = await histories();
  expect(foundIn(all, { ...secrets, ...posted })).toEqual([]);
  expect(all.length).toBeGreaterThan(10_000);

  for (const converter of [client.options.dataConverter, defaultDataConverter]) {
    const { canary, planted } = plant();
    const teller = new TemporalClient({
      connection: client.connection,
      namespace,
      dataConverter: converter,
    });
    const options = { taskQueue: 'nobody', workflowId: `canary-${canary.toString('hex', 0, 4)}`, args: [canary.toString('hex')] };
    const handle = await teller.workflow.start('canary', options);
    // The list of workflows comes from Temporal's search index, which shows a new workflow with a delay.
    await waitUntil('the planted secret to be found', async () => foundIn(await histories(), planted).includes('planted'));
    await handle.terminate();
  }
  await client.connection.close();
});

test('no process has written a secret to its log', async () => {
  expect(service.log()).toContain('order done');
  expect(foundIn(service.log(), { ...secrets, ...posted })).toEqual([]);
  const { canary, planted } = plant();
  // The log line of a failed request contains the caller's user agent.
  await fetch(`${service.firstRun().baseUrl}/wallets`, { headers: { 'user-agent': canary.toString('hex') } });
  await waitUntil('the canary in the log', () => foundIn(service.log(), planted).length === 1);
});

test('no file in the data folder contains a secret, except the files with the key-encryption key', () => {
  const elsewhere = [...filesIn(service.dataFolder)].filter(({ path }) => !path.startsWith(join(service.dataFolder, 'secrets')));
  expect(elsewhere.length).toBeGreaterThan(100);
  expect(
    elsewhere.flatMap(({ path, bytes }) => foundIn(bytes, { ...secrets, ...posted }).map((name) => `${name} in ${path}`)),
  ).toEqual([]);
  const own = [...filesIn(join(service.dataFolder, 'secrets'))].flatMap(({ bytes }) => foundIn(bytes, secrets));
  expect(own).toEqual(['kek']);
});

test.each(['api', 'worker'])('the memory of the %s contains no secret', (role) => {
  const found = foundInMemory(programPid(service.pid(), `${role}/main.js`), { ...secrets, canary: formsOf(memoryCanary) });
  expect(found).toEqual(['canary']);
});
