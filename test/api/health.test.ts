import { createServer, type Server } from 'node:http';
import { startApi, type TestApi } from '../support/api';

let api: TestApi;
let node: Server;
let chainId = '0xaa36a7';
beforeAll(async () => {
  node = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: chainId })));
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const address = node.address();
  const port = typeof address === 'object' ? address?.port : 0;
  api = await startApi({ rpcUrls: { EthereumSepolia: [`http://127.0.0.1:${port}`] } });
});
afterAll(async () => {
  await api.close();
  node.close();
});

const get = async (path: string) => {
  const response = await fetch(`${api.url}${path}`);
  return { status: response.status, body: (await response.json()) as unknown };
};

test('200: the process says that it lives, to anybody', async () => {
  expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
});

test('503: what is not ready is named', async () => {
  expect(await get('/health/ready')).toEqual({ status: 503, body: { status: 'not ready', notReady: ['temporal'] } });
  chainId = 'nonsense';
  expect(await get('/health/ready')).toEqual({
    status: 503,
    body: { status: 'not ready', notReady: ['temporal', 'network EthereumSepolia'] },
  });
  chainId = '0xaa36a7';
});
