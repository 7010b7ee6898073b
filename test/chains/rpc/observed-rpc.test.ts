import { z } from 'zod';
import { observedRpc } from '../../../chains/rpc/observed-rpc';
import { type Rpc, RpcError } from '../../../chains/rpc/rpc';
import type { OnRpcCall } from '../../../chains/types';
import { AppError } from '../../../domain/errors';

test.each<[string, () => Promise<unknown>]>([
  ['Answered', async () => '0x1'],
  ['Refused', () => Promise.reject(new RpcError(-32000, 'nonce too low'))],
  ['Unavailable', () => Promise.reject(new AppError('NetworkUnavailable', 'No node answered'))],
])('a request that is %s is reported with its method, and its result is passed on unchanged', async (outcome, answer) => {
  const told: Parameters<OnRpcCall>[0][] = [];
  const rpc: Rpc = async (_method, _params, result) => result.parse(await answer());
  const observed = observedRpc('EthereumSepolia', rpc, (call) => told.push(call));
  const settle = (asked: Rpc) =>
    asked('eth_chainId', [], z.string()).then(
      (value) => value,
      (error: unknown) => error,
    );
  expect(await settle(observed)).toEqual(await settle(rpc));
  expect(told).toEqual([{ network: 'EthereumSepolia', method: 'eth_chainId', outcome, seconds: expect.any(Number) }]);
});
