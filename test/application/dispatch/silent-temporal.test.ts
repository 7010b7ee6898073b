import { createServer, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { createDispatcher } from '../../../application/dispatch/dispatcher';
import { newId } from '../../../platform/ids';

test('a call to a Temporal server that accepts the connection and never answers ends at the limit', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  try {
    const dispatcher = createDispatcher(new Client({ connection }), { callLimitMs: 500 });
    const id = newId('transfer');
    const row = { kind: 'signal', aggregateId: id, dedupeKey: id, routing: { signal: 'settled' } } as const;
    await expect(dispatcher.carryOut(newId('organization'), row)).rejects.toThrow();
    await expect(dispatcher.tryNow(newId('organization'), row)).resolves.toBeUndefined();
  } finally {
    await connection.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}, 20_000);
