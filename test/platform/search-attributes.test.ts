import { SEARCH_ATTRIBUTES, searchAttributesOf } from '../../platform/search-attributes';

test('what is given is set under its durable name, and what is not given is not set at all', () => {
  const attributes = searchAttributesOf({ orgId: 'or-1', walletId: undefined, network: 'EthereumSepolia' });
  expect(attributes.getAll().map(({ key, value }) => [key.name, key.type, value])).toEqual([
    ['OrgId', 'KEYWORD', 'or-1'],
    ['Network', 'KEYWORD', 'EthereumSepolia'],
  ]);
});

test('only ids, network names, stages and moments can be told to the search, which stores them in the clear', () => {
  expect(Object.keys(SEARCH_ATTRIBUTES)).toEqual(['orgId', 'walletId', 'network', 'stage', 'approvalGroup', 'deadline']);
});
