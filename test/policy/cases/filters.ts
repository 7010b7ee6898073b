import type { Filters } from '../../../domain/policies';
import type { ChangeFacts, Subject } from '../../../policy/types';
import { OTHER_WALLET, THIRD_WALLET, WALLET, wallet } from './case';

/** A policy with these filters, and whether the policy judges the activity at all. */
export type FilterCase = readonly [
  title: string,
  filters: Filters | null,
  subject: Subject | Omit<ChangeFacts, 'initiatorId'>,
  applies: boolean,
];

const cold = wallet(WALLET, 'cold', 'eu');
const bare = wallet(WALLET);
const key = { ...wallet(WALLET, 'hot'), otherWallets: [wallet(OTHER_WALLET, 'cold', 'eu')] };
const unused = { walletId: null, walletTags: [] };
const hundred = Array.from({ length: 99 }, (_, at) => `wa-${at}`);

const SIGNING: readonly FilterCase[] = [
  ['no filters', null, cold, true],
  ['empty filters', {}, cold, true],
  ['a tag filter that lists nothing', { walletTags: {} }, cold, true],
  ['this wallet', { walletId: { in: [WALLET] } }, cold, true],
  ['this wallet among others', { walletId: { in: [OTHER_WALLET, WALLET] } }, cold, true],
  ['this wallet as the hundredth in the list', { walletId: { in: [...hundred, WALLET] } }, cold, true],
  ['another wallet', { walletId: { in: [OTHER_WALLET] } }, cold, false],
  ['the id in capital letters', { walletId: { in: [WALLET.toUpperCase()] } }, cold, false],
  ['any of one tag', { walletTags: { hasAny: ['cold'] } }, cold, true],
  ['any of two tags, the second', { walletTags: { hasAny: ['hot', 'eu'] } }, cold, true],
  ['any of two tags that the wallet lacks', { walletTags: { hasAny: ['hot', 'us'] } }, cold, false],
  ['only a part of a tag', { walletTags: { hasAny: ['col'] } }, cold, false],
  ['a tag in a different letter case', { walletTags: { hasAny: ['Cold'] } }, cold, false],
  ['all of one tag', { walletTags: { hasAll: ['eu'] } }, cold, true],
  ['all tags of the wallet', { walletTags: { hasAll: ['eu', 'cold'] } }, cold, true],
  ['all tags of the wallet and one more', { walletTags: { hasAll: ['eu', 'cold', 'us'] } }, cold, false],
  ['hasAll and hasAny, both hold', { walletTags: { hasAll: ['eu'], hasAny: ['hot', 'cold'] } }, cold, true],
  ['hasAll and hasAny, hasAll fails', { walletTags: { hasAll: ['us'], hasAny: ['cold'] } }, cold, false],
  ['hasAll and hasAny, hasAny fails', { walletTags: { hasAll: ['eu'], hasAny: ['hot'] } }, cold, false],
  ['wallet and tag, both hold', { walletId: { in: [WALLET] }, walletTags: { hasAny: ['cold'] } }, cold, true],
  ['wallet and tag, the wallet fails', { walletId: { in: [OTHER_WALLET] }, walletTags: { hasAny: ['cold'] } }, cold, false],
  ['wallet and tag, the tag fails', { walletId: { in: [WALLET] }, walletTags: { hasAny: ['hot'] } }, cold, false],
  ['any of one tag, a wallet without tags', { walletTags: { hasAny: ['cold'] } }, bare, false],
  ['all of one tag, a wallet without tags', { walletTags: { hasAll: ['cold'] } }, bare, false],
  ['a tag filter that lists nothing, a wallet without tags', { walletTags: {} }, bare, true],
];

const KEYS: readonly FilterCase[] = [
  ['a key, no filters', null, key, true],
  ['a key, its first wallet', { walletId: { in: [WALLET] } }, key, true],
  ['a key, its other wallet', { walletId: { in: [OTHER_WALLET] } }, key, true],
  ['a key, neither of its wallets', { walletId: { in: [THIRD_WALLET] } }, key, false],
  ['a key, a tag of the first wallet', { walletTags: { hasAny: ['hot'] } }, key, true],
  ['a key, a tag of the other wallet', { walletTags: { hasAny: ['cold'] } }, key, true],
  ['a key, all tags of the other wallet', { walletTags: { hasAll: ['cold', 'eu'] } }, key, true],
  ['a key, tags that only both wallets together have', { walletTags: { hasAll: ['hot', 'cold'] } }, key, false],
  [
    'a key, the id of one wallet and the tag of the other',
    { walletId: { in: [WALLET] }, walletTags: { hasAny: ['cold'] } },
    key,
    false,
  ],
  ['a key, id and tag of the same wallet', { walletId: { in: [OTHER_WALLET] }, walletTags: { hasAny: ['cold'] } }, key, true],
  ['a key, a tag that none of its wallets has', { walletTags: { hasAny: ['us'] } }, key, false],
  ['a key without wallets, no filters', null, unused, true],
  ['a key without wallets, any wallet', { walletId: { in: [WALLET] } }, unused, false],
  ['a key without wallets, any tag', { walletTags: { hasAny: ['cold'] } }, unused, false],
  ['a key without wallets, all tags', { walletTags: { hasAll: ['cold', 'eu'] } }, unused, false],
];

const stored = { ...cold, storeId: 'ks-1' };
const storedKey = { ...key, storeId: 'ks-1' };
const storedUnused = { ...unused, storeId: 'ks-1' };

const STORES: readonly FilterCase[] = [
  ['a store filter that lists nothing', { storeId: {} }, stored, true],
  ['the store of the key', { storeId: { in: ['ks-1'] } }, stored, true],
  ['the store of the key among others', { storeId: { in: ['software', 'ks-1'] } }, stored, true],
  ['another store', { storeId: { in: ['software'] } }, stored, false],
  ['the id of the store in capital letters', { storeId: { in: ['KS-1'] } }, stored, false],
  ['all stores but the store of the key', { storeId: { notIn: ['ks-1'] } }, stored, false],
  ['all stores but two, one of them the store of the key', { storeId: { notIn: ['software', 'ks-1'] } }, stored, false],
  ['all stores but another one', { storeId: { notIn: ['software'] } }, stored, true],
  ['in and notIn, both hold', { storeId: { in: ['ks-1'], notIn: ['software'] } }, stored, true],
  ['in and notIn, notIn fails', { storeId: { in: ['ks-1'], notIn: ['ks-1'] } }, stored, false],
  ['store and tag, both hold', { storeId: { in: ['ks-1'] }, walletTags: { hasAny: ['cold'] } }, stored, true],
  ['store and tag, the tag fails', { storeId: { in: ['ks-1'] }, walletTags: { hasAny: ['hot'] } }, stored, false],
  ['store and tag, the store fails', { storeId: { notIn: ['ks-1'] }, walletTags: { hasAny: ['cold'] } }, stored, false],
  ['an unknown store under in', { storeId: { in: ['ks-1'] } }, cold, true],
  ['an unknown store under notIn', { storeId: { notIn: ['ks-1'] } }, cold, true],
  ['a key with two wallets, its store', { storeId: { in: ['ks-1'] } }, storedKey, true],
  ['a key with two wallets, another store', { storeId: { in: ['software'] } }, storedKey, false],
  ['a key without wallets, its store', { storeId: { in: ['ks-1'] } }, storedUnused, true],
  ['a key without wallets, another store', { storeId: { in: ['software'] } }, storedUnused, false],
  [
    'a key without wallets, its store and a tag',
    { storeId: { in: ['ks-1'] }, walletTags: { hasAny: ['cold'] } },
    storedUnused,
    false,
  ],
  ["an end user's own key in the store", { storeId: { in: ['ks-1'] } }, { ...stored, isOwnKey: true }, false],
];

const ofPermission = { permissionId: 'pm-1', policyId: null };
const ofPolicy = { permissionId: null, policyId: 'plc-1' };
const ofRegistry = { permissionId: null, policyId: null };

const CHANGES: readonly FilterCase[] = [
  ['a permission, no filters', null, ofPermission, true],
  ['a permission, empty filters', {}, ofPermission, true],
  ['a permission that is the only one in the filter', { permissionId: { in: ['pm-1'] } }, ofPermission, true],
  ['a permission that the filter lists among others', { permissionId: { in: ['pm-0', 'pm-1'] } }, ofPermission, true],
  ['a permission that the filter does not list', { permissionId: { in: ['pm-0'] } }, ofPermission, false],
  ['a policy, no filters', null, ofPolicy, true],
  ['a policy that the filter lists among others', { policyId: { in: ['plc-1', 'plc-2'] } }, ofPolicy, true],
  ['a policy that the filter does not list', { policyId: { in: ['plc-2'] } }, ofPolicy, false],
  ['the registry, no filters', null, ofRegistry, true],
  ['the registry, empty filters', {}, ofRegistry, true],
  // A filter that does not fit the kind of the change does not exempt the change.
  ['a policy under a filter for permissions', { permissionId: { in: ['pm-0'] } }, ofPolicy, true],
  ['the registry under a filter for policies', { policyId: { in: ['plc-2'] } }, ofRegistry, true],
];

export const FILTER_CASES: readonly FilterCase[] = [...SIGNING, ...KEYS, ...STORES, ...CHANGES];
