import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type MessageCounter = {
  /** The address of the same database through this counter. */
  readonly through: (url: string) => string;
  /** The number of messages since the last call. A message is a batch that a client sends at once and the server must answer. */
  readonly take: () => number;
  readonly close: () => Promise<void>;
};

const QUERY = 'Q'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);
/** A message begins with a type and a length of four bytes. The message that opens a connection has no type. */
const HEADER_BYTES = 5;

/** Starts a proxy between clients and Postgres that counts the messages which the drivers send over the wire. */
export async function startMessageCounter(databaseUrl: string): Promise<MessageCounter> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        for (const other of [client, upstream]) other.destroy();
      });
    }
    const asksIn = createParser();
    client.on('data', (chunk: Buffer) => {
      if (asksIn(chunk)) count += 1;
      upstream.write(chunk);
    });
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    through: (url) => {
      const own = new URL(url);
      own.host = `127.0.0.1:${ownPort}`;
      return own.toString();
    },
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Creates a parser for one connection. The parser returns whether a query ends in the chunk. */
function createParser(): (chunk: Buffer) => boolean {
  let rest = Buffer.alloc(0);
  let isOpen = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let asks = false;
    for (;;) {
      const lengthAt = isOpen ? 1 : 0;
      if (rest.length < HEADER_BYTES) return asks;
      const bytes = lengthAt + rest.readUInt32BE(lengthAt);
      if (rest.length < bytes) return asks;
      const [type] = rest;
      asks ||= isOpen && (type === QUERY || type === SYNC);
      isOpen = true;
      rest = rest.subarray(bytes);
    }
  };
}
