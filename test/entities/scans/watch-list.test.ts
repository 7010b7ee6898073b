import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Client } from 'pg';
import { type LoadedAddress, openWatchList, type WatchList } from '../../../entities/scans/watch-list';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { asSuperuser } from '../../support/roles';
import { waitUntil } from '../../support/wait-until';

const NETWORK = 'EthereumSepolia';

let database: TestDatabase;
let watchList: WatchList;
let orgId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  orgId = await database.createOrganization();
});
afterAll(() => database?.close());
beforeEach(() => {
  watchList = openWatchList(database.relayUrl);
});
afterEach(() => watchList?.close());

async function add(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => newId('addressWatch'));
  await database.arrange(
    `INSERT INTO watched_addresses (org_id, subject_id, subject_kind, network, address)
     SELECT $1, id, 'AddressWatch', '${NETWORK}', '0x' || md5(id) FROM unnest($2::text[]) AS id`,
    [orgId, ids],
  );
  return ids;
}
const load = async (since?: string) => {
  const loaded: LoadedAddress[] = [];
  return { next: await watchList.load(NETWORK, since, (one) => void loaded.push(one)), loaded };
};

const isWaiting = async (client: Client) => {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'strongroom-scanner' AND wait_event_type = 'Lock'`,
  );
  return rowCount === 1;
};
const endWaiting = async (client: Client) => {
  const { rowCount } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'strongroom-scanner' AND wait_event_type = 'Lock'`,
  );
  return rowCount === 1;
};

test('without any address, the load passes nothing on and returns a mark from which later addresses are found', async () => {
  const { next, loaded } = await load();
  expect(loaded).toEqual([]);
  const [id] = await add(1);
  const later = await load(next);
  expect(later.loaded).toEqual([
    {
      orgId,
      subjectId: id,
      address: expect.stringMatching(/^0x[0-9a-f]{32}$/),
      isLive: false,
      addedMs: expect.any(Number),
    },
  ]);
  expect(Math.abs((later.loaded[0]?.addedMs ?? 0) - Date.now())).toBeLessThan(60_000);
});

test('each of many addresses is passed on once', async () => {
  const ids = await add(20_000);
  const { loaded } = await load();
  const added = new Set(ids);
  expect(loaded.filter(({ subjectId }) => added.has(subjectId))).toHaveLength(ids.length);
  expect(new Set(loaded.map(({ subjectId }) => subjectId)).size).toBe(loaded.length);
});

test('an exception of the caller rejects the load, and the next load works', async () => {
  await add(2);
  const failing = watchList.load(NETWORK, undefined, () => {
    throw new Error('no such address');
  });
  await expect(failing).rejects.toThrow('no such address');
  expect((await load()).loaded.length).toBeGreaterThan(0);
});

test('a connection that is cut during a load rejects the load and does not end the process', async () => {
  const { hostname, port } = new URL(database.relayUrl);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
    client.pipe(server);
    server.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(database.relayUrl);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const through = openWatchList(url.toString());
  await asSuperuser(async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE watched_addresses IN ACCESS EXCLUSIVE MODE');
    const cut = expect(through.load(NETWORK, undefined, () => undefined)).rejects.toThrow('terminated');
    await waitUntil('the load waits for the table', () => asSuperuser(isWaiting, database.name));
    for (const socket of sockets) socket.destroy();
    await cut;
    await client.query('ROLLBACK');
  }, database.name);
  await through.close();
  proxy.close();
});

test('a connection that ends during a load rejects the load, and the next load works', async () => {
  await add(1);
  await asSuperuser(async (client) => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE watched_addresses IN ACCESS EXCLUSIVE MODE');
    const broken = load().then(
      () => 'loaded',
      () => 'rejected',
    );
    await waitUntil('the load waits for the table', () => asSuperuser(endWaiting, database.name));
    await client.query('ROLLBACK');
    expect(await broken).toBe('rejected');
  }, database.name);
  expect((await load()).loaded.length).toBeGreaterThan(0);
});
