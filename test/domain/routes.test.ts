import { INTEGRATION_KINDS } from '../../domain/integrations';
import { NETWORK_NAMES } from '../../domain/networks';
import { chainQueueOf, routeOf, sharedRoute } from '../../domain/routes';

test('policy, signer, each vendor and each network have queues of their own', () => {
  const { main, signer, chain, vendor } = routeOf('or-1');
  const queues = [main, signer, ...INTEGRATION_KINDS.map(vendor), ...NETWORK_NAMES.map(chain)];
  expect(queues.slice(0, 7)).toEqual([
    'main',
    'signer',
    'vendor-KytA',
    'vendor-KytB',
    'vendor-TravelRule',
    'chain-Ethereum',
    'chain-EthereumSepolia',
  ]);
  expect(new Set(queues).size).toBe(queues.length);
});

test('a transfer and the follower of its network use the same queue', () => {
  for (const network of NETWORK_NAMES) expect(routeOf('or-1').chain(network)).toBe(chainQueueOf(network));
});

test('the workers of the shared route serve every organisation', () => {
  expect(routeOf('or-1')).toEqual(sharedRoute);
  expect(routeOf('or-2')).toEqual(sharedRoute);
});
