import { NETWORK_NAMES } from '../../domain/networks';
import { chainQueueOf, routeOf, sharedRoute } from '../../domain/routes';

test('policy, signer and each network have queues of their own', () => {
  const { main, signer, chain } = routeOf('or-1');
  const queues = [main, signer, ...NETWORK_NAMES.map(chain)];
  expect(queues).toEqual(['main', 'signer', 'chain-Ethereum', 'chain-EthereumSepolia']);
  expect(new Set(queues).size).toBe(queues.length);
});

test('a transfer and the follower of its network meet in one queue', () => {
  for (const network of NETWORK_NAMES) expect(routeOf('or-1').chain(network)).toBe(chainQueueOf(network));
});

test('the workers of the shared route serve every organisation', () => {
  expect(routeOf('or-1')).toEqual(sharedRoute);
  expect(routeOf('or-2')).toEqual(sharedRoute);
});
