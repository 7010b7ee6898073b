import type { Filters } from '../../domain/policies';
import { applies } from '../../policy/filters';

const wallet = { walletId: 'wa-1', walletTags: ['cold', 'eu'] };

test.each<[string, Filters | null, boolean]>([
  ['no filters', null, true],
  ['empty filters', {}, true],
  ['empty tag filter', { walletTags: {} }, true],
  ['this wallet', { walletId: { in: ['wa-0', 'wa-1'] } }, true],
  ['another wallet', { walletId: { in: ['wa-0'] } }, false],
  ['any of the tags', { walletTags: { hasAny: ['hot', 'cold'] } }, true],
  ['none of the tags', { walletTags: { hasAny: ['hot'] } }, false],
  ['all of the tags', { walletTags: { hasAll: ['cold', 'eu'] } }, true],
  ['not all of the tags', { walletTags: { hasAll: ['cold', 'us'] } }, false],
  ['a filter "any" that applies and a filter "all" that fails', { walletTags: { hasAny: ['cold'], hasAll: ['us'] } }, false],
  ['this wallet, whose tags do not match', { walletId: { in: ['wa-1'] }, walletTags: { hasAny: ['hot'] } }, false],
  ['a tag in a different letter case', { walletTags: { hasAny: ['Cold'] } }, false],
])('whether a policy with filters for %s applies (case %#)', (_title, filters, expected) => {
  expect(applies(filters, wallet)).toBe(expected);
});

test('a wallet without tags is outside every tag filter', () => {
  expect(applies({ walletTags: { hasAny: ['cold'] } }, { walletId: 'wa-1', walletTags: [] })).toBe(false);
});

test('a signature with a key is inside a filter if any wallet of the key is inside the filter', () => {
  const otherWallets = [{ walletId: 'wa-2', walletTags: ['cold'] }];
  const facts = { walletId: 'wa-1', walletTags: ['hot'], otherWallets };
  expect(applies({ walletTags: { hasAny: ['cold'] } }, facts)).toBe(true);
  expect(applies({ walletId: { in: ['wa-2'] } }, facts)).toBe(true);
  expect(applies({ walletTags: { hasAll: ['cold', 'hot'] } }, facts)).toBe(false);
  expect(applies({ walletId: { in: ['wa-3'] } }, facts)).toBe(false);
});

test('a signature with a key without wallets is not inside any filter, and every policy without filters applies', () => {
  const unused = { walletId: null, walletTags: [] };
  const narrowing: Filters[] = [
    { walletId: { in: ['wa-1'] } },
    { walletTags: { hasAny: ['cold'] } },
    { walletTags: { hasAll: ['cold'] } },
  ];
  for (const filters of narrowing) expect(applies(filters, unused)).toBe(false);
  for (const filters of [null, {}, { walletTags: {} }]) expect(applies(filters, unused)).toBe(true);
});

const change = { initiatorId: 'us-1', permissionId: 'pm-1', policyId: null };
const ofPolicy = { initiatorId: 'us-1', permissionId: null, policyId: 'plc-1' };

test.each<[string, Filters | null, boolean, boolean]>([
  ['no filters', null, true, true],
  ['this permission', { permissionId: { in: ['pm-0', 'pm-1'] } }, true, true],
  ['another permission', { permissionId: { in: ['pm-0'] } }, false, true],
  ['this policy', { policyId: { in: ['plc-1'] } }, true, true],
  ['another policy', { policyId: { in: ['plc-0'] } }, true, false],
])('whether a policy with filters for %s applies to changes (case %#)', (_title, filters, toPermission, toPolicy) => {
  expect(applies(filters, change)).toBe(toPermission);
  // A filter that does not fit the kind of the change does not exempt the change.
  expect(applies(filters, ofPolicy)).toBe(toPolicy);
});
