import { findBareNetwork, findNetwork } from '../../chains/networks';
import { ADDRESS_WATCH_NETWORKS } from '../../domain/address-watches';

test('the networks of watches are the 55 networks of the published interface, each listed once', () => {
  expect(ADDRESS_WATCH_NETWORKS).toHaveLength(55);
  expect(new Set(ADDRESS_WATCH_NETWORKS).size).toBe(55);
});

test('a network of watches has a record with code, or a record that says why it has none', () => {
  for (const name of ADDRESS_WATCH_NETWORKS)
    expect([name, findNetwork(name) ?? findBareNetwork(name)?.note]).not.toContain(undefined);
});
