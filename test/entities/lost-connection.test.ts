import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { openStrongroomDatabase } from '../../entities/data-source';
import { createTestDatabase, type TestDatabase } from '../support/database';

const field = (type: string, text: string) => `${type}${text}\0`;
const fields = Buffer.from(
  `${field('S', 'FATAL')}${field('V', 'FATAL')}${field('C', '57P01')}${field('M', 'terminating connection')}\0`,
);
const length = Buffer.alloc(4);
length.writeUInt32BE(fields.length + 4);
/** The message with which a server ends a connection (PostgreSQL, Message Formats, ErrorResponse). */
const FATAL = Buffer.concat([Buffer.from('E'), length, fields]);
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

let database: TestDatabase;
let proxy: Server;
const sockets = new Set<Socket>();
let isDoomed = false;

/** A proxy in front of the server. If `isDoomed`, the proxy sends a FATAL message together with the end of a response. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.appUrl);
  proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
    client.on('data', (chunk) => server.write(chunk)).on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    server.on('data', (chunk: Buffer) => {
      if (!isDoomed || !chunk.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY)) return client.write(chunk);
      return client.end(Buffer.concat([chunk, FATAL]));
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy?.close();
  await database?.close();
});

test('a connection that the server ends right after a response, before the connection returns to the pool, does not crash the process', async () => {
  const orgId = await database.createOrganization();
  const url = new URL(database.appUrl);
  const address = proxy.address();
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' ? address?.port : '');
  const db = await openStrongroomDatabase({ url: url.toString(), poolMax: 2, applicationName: 'lost' });
  const one = () => db.read(orgId).select('SELECT 1 AS one');
  await expect(one()).resolves.toEqual([{ one: 1 }]);
  isDoomed = true;
  await expect(one()).resolves.toEqual([{ one: 1 }]);
  isDoomed = false;
  await expect(one()).resolves.toEqual([{ one: 1 }]);
  await db.close();
});
