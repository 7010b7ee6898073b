import { findBareNetwork, findNetwork } from '../../chains/networks';
import { ADDRESS_WATCH_NETWORKS } from '../../domain/address-watches';

test('the networks that can have watches are the 55 networks of the published interface, each listed once', () => {
  expect(ADDRESS_WATCH_NETWORKS).toHaveLength(55);
  expect(new Set(ADDRESS_WATCH_NETWORKS).size).toBe(55);
});

test('each of these networks has a record with code, or a record with the reason why there is no code', () => {
  for (const name of ADDRESS_WATCH_NETWORKS)
    expect([name, findNetwork(name) ?? findBareNetwork(name)?.note]).not.toContain(undefined);
});
