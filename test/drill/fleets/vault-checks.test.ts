import type { CarriedArchive } from '../../../drill/fleets/carry';
import { vaultFaults } from '../../../drill/fleets/vault-checks';
import type { VaultRecords } from '../../../drill/fleets/vault-records';
import { VAULT_RECORDS } from '../../support/vault-records';

/** The service returns `archive` when the archive is downloaded again. */
const faultsOf = (found: VaultRecords, transferId: string | undefined, archive = 'the archive') => {
  const carried: CarriedArchive = { groupId: transferId === undefined ? 'fg-1' : 'fg-2', archive: 'the archive' };
  const client = () => ({ get: async () => archive }) as never;
  return vaultFaults(found, { carried, vault: { orgId: 'or-1', storeId: 'ks-1', machines: {} as never, client } }, transferId);
};
const group = (changes: Partial<VaultRecords['groups'][number]>) => ({
  groups: VAULT_RECORDS.groups.map((row) => (row.id === 'fg-2' ? { ...row, ...changes } : row)),
});
const request = (changes: Partial<VaultRecords['requests'][number]>) => ({
  requests: VAULT_RECORDS.requests.map((row) => ({ ...row, ...changes })),
});
const [first, second] = VAULT_RECORDS.keys;
const keys = (changes: object) => ({ keys: [{ ...first, ...changes }, second] as never });

test('a transfer and a ceremony that ended once have no fault', async () => {
  expect(await faultsOf(VAULT_RECORDS, 'x1')).toEqual([]);
  expect(await faultsOf(VAULT_RECORDS, undefined)).toEqual([]);
});

test('another archive than the device got is a fault', async () => {
  expect((await faultsOf(VAULT_RECORDS, 'x1', 'another archive')).join()).toMatch(/^the archive, downloaded again: /);
});

test('a record that the device never saw is a fault', async () => {
  const client = () => ({}) as never;
  const vault = { orgId: 'or-1', storeId: 'ks-1', machines: {} as never, client };
  expect(await vaultFaults(VAULT_RECORDS, { carried: undefined, vault }, 'x1')).toEqual(['the device got no archive']);
  expect(await vaultFaults(VAULT_RECORDS, { carried: undefined, vault: undefined }, 'x1')).toEqual(['it has no offline store']);
});

test.each<[string, Partial<VaultRecords>, RegExp]>([
  ['a group without its outcome', group({ status: 'Initialized' }), /the group: Initialized instead of Approved/],
  ['two accepted outputs', group({ outputs: 'Accepted Accepted' }), /outputs of the group: Accepted Accepted/],
  [
    'an open group',
    { groups: [...VAULT_RECORDS.groups, { ...VAULT_RECORDS.groups[0], id: 'fg-3', status: 'InReview' } as never] },
    /open groups: 1/,
  ],
  ['a second archive in the journal', { sealed: [...VAULT_RECORDS.sealed, ...VAULT_RECORDS.sealed] }, /archives in the journal/],
  ['another archive in the journal', group({ digest: 'another' }), /archives in the journal: input of fg-2 instead of another/],
  ['the wrong group', request({ groupId: 'fg-1' }), /the group of the request: fg-1/],
  ['two operations', request({ operations: 'fg-2 Approved, fg-3 Canceled' }), /operations for the request: fg-2 Approved, fg-3/],
  ['no vouch', { vouched: [] }, /vouches in the journal: 0 instead of 1/],
  ['two vouches', { vouched: [...VAULT_RECORDS.vouched, ...VAULT_RECORDS.vouched] }, /vouches in the journal: 2 instead of 1/],
  ['other messages', request({ messages: ['0x03'] }), /messages of the vouch/],
  [
    'a vouch without a claim',
    { vouched: VAULT_RECORDS.vouched.map(({ claim: _claim, ...rest }) => rest) },
    /claims of the vouch: false/,
  ],
  ['no record of the signatures', { made: [] }, /records of signatures in the journal: 0/],
  [
    'two records of the signatures',
    { made: [...VAULT_RECORDS.made, ...VAULT_RECORDS.made] },
    /records of signatures in the journal: 2/,
  ],
  ['other signatures', request({ signatures: [{ r: '0x03', s: '0x02' }] }), /signatures: 0x01 0x02 instead of 0x03 0x02/],
  ['a lost ceremony', { approved: [] }, /ceremonies in the journal: 0 instead of 1/],
  [
    'a ceremony twice',
    { approved: [...VAULT_RECORDS.approved, ...VAULT_RECORDS.approved] },
    /ceremonies in the journal: 2 instead of 1/,
  ],
  ['another manifest', { fleets: [{ orgId: 'or-1', storeId: 'ks-1', digest: 'm1' }] }, /manifest: m1 instead of m0/],
  ['a lost key', { keys: VAULT_RECORDS.keys.slice(0, 1) }, /keys of the pool: secp256k1 0 aa instead of/],
  ['a key that only the rows assign', { assigned: [] }, /assigned keys: key-1 aa instead of none/],
  ['a key that only the journal assigns', keys({ keyId: null, walletKeys: '' }), /assigned keys: none instead of key-1 aa/],
  ['a key without a wallet', keys({ walletKeys: '' }), /the wallet of key-1: none instead of key-1 aa Active/],
  ['a key with two wallets', keys({ walletKeys: 'key-1 aa Active, key-1 aa Active' }), /the wallet of key-1: /],
])('%s is a fault', async (_, planted, words) => {
  expect((await faultsOf({ ...VAULT_RECORDS, ...planted }, 'x1')).join('\n')).toMatch(words);
});

test('after a genesis, two assigned keys or the ceremony of another group are a fault', async () => {
  const taken = { ...second, keyId: 'key-2', walletKeys: 'key-2 bb Active' } as never;
  expect((await faultsOf({ ...VAULT_RECORDS, keys: [first, taken] as never }, undefined)).join()).toMatch(
    /keys of wallets: 2 instead of 1/,
  );
  const other = VAULT_RECORDS.approved.map((entry) => ({ ...entry, groupId: 'fg-9' }));
  expect((await faultsOf({ ...VAULT_RECORDS, approved: other }, undefined)).join()).toMatch(/the ceremony in the journal: fg-9/);
});
