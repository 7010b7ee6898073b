import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { postJson } from '../../../chains/rpc/post-json';

const LIMITS = { timeoutMs: 2_000, replyBytesMax: 1_000 };

async function withServer(work: (url: string, connections: ReadonlySet<Socket>) => Promise<void>): Promise<void> {
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  server.on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test('consecutive requests share one connection', async () => {
  await withServer(async (url, connections) => {
    for (let question = 0; question < 3; question += 1) expect(await postJson(url, '{}', LIMITS)).toBe('{}');
    expect(connections.size).toBe(1);
  });
});

test('a connection that ends in the middle of a reply causes an error', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"result":', () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expect(postJson(url, '{}', LIMITS)).rejects.toThrow();
  await new Promise((resolve) => server.close(resolve));
});
