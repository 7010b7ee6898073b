import { z } from 'zod';
import { createRpc, Quantity } from '../../chains/rpc/rpc';
import { startLyingNode } from '../../local/lying-node';
import { result, startFakeNode } from '../chains/rpc/fake-node';

test('the node forwards all requests, lies as instructed, goes down, and then forwards all requests again', async () => {
  const honest = await startFakeNode(result('0x1'));
  const node = await startLyingNode(honest.url);
  try {
    const balance = () => createRpc('EthereumSepolia', [node.url])('eth_getBalance', ['0x00', 'latest'], Quantity);
    expect(await balance()).toBe(1n);
    node.lies.set('eth_getBalance', (truth) => `${z.string().parse(truth)}0`);
    expect(await balance()).toBe(16n);
    node.isDown = true;
    await expect(balance()).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    node.isDown = false;
    node.lies.clear();
    expect(await balance()).toBe(1n);
  } finally {
    await node.close();
    await honest.stop();
  }
});
