import { createServer, type Server } from 'node:http';
import { freezeStore } from '../../entities/deployment/freeze.store';
import { startApi, type TestApi } from '../support/api';
import { waitUntil } from '../support/wait-until';

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

test('200: the process reports to any caller that it is alive', async () => {
  expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
});

test('503: the answer lists the parts that are not ready', async () => {
  expect(await get('/health/ready')).toEqual({ status: 503, body: { status: 'not ready', notReady: ['temporal'] } });
  chainId = 'nonsense';
  expect(await get('/health/ready')).toEqual({
    status: 503,
    body: { status: 'not ready', notReady: ['temporal', 'network EthereumSepolia'] },
  });
  chainId = '0xaa36a7';
});

test('after a freeze by the operator, a change gets 503 with the reason, and the readiness answer shows the reason', async () => {
  await freezeStore.freeze(api.database.ownerUrl, 'The laptop of the treasurer is gone');
  const frozen = { kind: 'Operator', reason: 'The laptop of the treasurer is gone', since: expect.any(String) };
  // The process reads the freeze again after two seconds.
  await waitUntil('the process to read the freeze', async () => 'frozen' in ((await get('/health/ready')).body as object));
  expect((await get('/health/ready')).body).toMatchObject({ frozen });
  const person = await api.createPerson(await api.createOrganization());
  const refused = await person.client.announce('POST', '/wallets', '{}');
  expect(refused).toMatchObject({
    status: 503,
    body: {
      error: {
        id: 'Frozen',
        message: expect.stringMatching(/^The operator has frozen .*Reason: The laptop of the treasurer is gone$/),
      },
    },
  });
});
