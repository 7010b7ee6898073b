import { SEARCH_ATTRIBUTES, searchAttributesOf } from '../../platform/search-attributes';

test('a given value is set under its durable name, and a missing value is not set', () => {
  const attributes = searchAttributesOf({ orgId: 'or-1', walletId: undefined, network: 'EthereumSepolia' });
  expect(attributes.getAll().map(({ key, value }) => [key.name, key.type, value])).toEqual([
    ['OrgId', 'KEYWORD', 'or-1'],
    ['Network', 'KEYWORD', 'EthereumSepolia'],
  ]);
});

test('search attributes are only ids, network names, kinds, stages and times, because Temporal stores them unencrypted', () => {
  expect(Object.keys(SEARCH_ATTRIBUTES)).toEqual([
    'orgId',
    'walletId',
    'network',
    'stage',
    'approvalGroup',
    'keyStoreId',
    'fleetKind',
    'deadline',
  ]);
});
