import { rmSync } from 'node:fs';
import { readAdoptedCharters } from '../../../../signer/charters/adopted-charters';
import type { AmendCharterOrder } from '../../../../signer/charters/amend-charter-order';
import { CHARTER_BYTES_MAX } from '../../../../signer/charters/charter';
import { createReportedCharters } from '../../../../signer/charters/reported-charters';
import { indexesOf } from '../../../../signer/record/journal/segments';
import { type Chartered, openChartered, POLICY_ID, WALLET_ID } from '../../charters/chartered';
import { keyOrder, ORG, refusedAs } from '../../fixtures';
import { amendmentBy, charterNow } from './amending';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

/** A policy with this name and two groups with these ids. */
const creation = (name: string, policyId: string, groupIds = ['constructor', '1']) => {
  const group = { name, quorum: Number.MAX_SAFE_INTEGER, approvers: { userId: { in: ['__proto__', '0', 'constructor'] } } };
  return amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'createPolicy', policyId, version: 1, groupIds },
    body: {
      ...{ name, activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger', configuration: {} } },
      action: { kind: 'RequestApproval', approvalGroups: [group, { quorum: 1, approvers: {} }], autoRejectTimeout: null },
      filters: { walletTags: { hasAny: ['__proto__', '1', '0'], hasAll: [] } },
      mode: 'Shadow',
    },
  });
};
const ODD = ['"kind":"CharterAdopted"', '{"seal":"', '\u2028\u2029\u{1f600}\n\\ "', '\u0001\u007f\ufeff', ''];

test('simultaneous amendments with odd texts give the same charter after a restart that reads the whole journal', async () => {
  await office.adopt();
  await office.signer.createKey(keyOrder('key-new'));
  const { ada, cyd } = office.people;
  const tagging = (kind: 'tagWallet' | 'untagWallet', tags: string[]) =>
    amendmentBy({ by: ada, amendment: { kind }, params: { walletId: WALLET_ID }, body: { tags } });
  const orders: AmendCharterOrder[] = [
    ...ODD.map((name, at) => creation(name, ['__proto__', 'constructor', '1', '0', 'toString'][at] ?? '')),
    tagging('tagWallet', ['__proto__', '0', '"', '\u{10ffff}']),
    tagging('untagWallet', ['0']),
    amendmentBy({
      by: ada,
      amendment: { kind: 'createWallet', walletId: 'hasOwnProperty', keyId: 'key-new' },
      body: { network: 'EthereumSepolia', tags: ['__proto__'] },
    }),
    amendmentBy({ by: ada, amendment: { kind: 'archivePolicy' }, params: { policyId: POLICY_ID } }),
    amendmentBy({ by: cyd, amendment: { kind: 'deactivateCredential' }, body: { credentialUuid: cyd.credential.id } }),
    amendmentBy({ by: ada, amendment: { kind: 'archiveUser' }, params: { userId: cyd.userId } }),
  ];
  const heads = await Promise.all(orders.map((order) => office.signer.amendCharter(order)));
  expect(heads.map(({ sequence }) => sequence)).toEqual(orders.map((_order, at) => at + 2));
  const text = createReportedCharters(office.signer.journal).part({ orgId: ORG, offset: 0 });
  expect(charterNow(office).policies.map(({ name }) => name)).toEqual(ODD);
  await office.signer.close();
  for (const path of indexesOf(office.folder.path)) rmSync(path, { recursive: true });
  const again = await office.open();
  expect(createReportedCharters(again.journal).part({ orgId: ORG, offset: 0 })).toEqual(text);
  expect(await again.amendCharter(orders[0] as AmendCharterOrder)).toEqual(heads[0]);
  await again.close();
  const { sequence, digest } = heads.at(-1) ?? {};
  expect((await readAdoptedCharters(office.folder.path)).get(ORG)).toMatchObject({ sequence, digest });
});

test.each(['\ud800', '\u0000', 'x'.repeat(64).concat('y')])(
  'a group id that is not allowed in a charter is refused (%#)',
  async (id) => {
    await office.adopt();
    await expect(office.signer.amendCharter(creation('Odd', 'plc-odd', [id, 'grp-2']))).rejects.toEqual(
      refusedAs('CharterMalformed'),
    );
    expect(charterNow(office)).toEqual(office.charter);
  },
);

test('the charter grows up to its size limit, and a removal is still accepted at the limit', async () => {
  const { ada, cyd } = office.people;
  const address = (id: string) => ({ id, network: 'EthereumSepolia', address: 'x'.repeat(128) });
  const entryBytes = Buffer.byteLength(JSON.stringify(address('addr-0000'))) + 1;
  const spareBytes = CHARTER_BYTES_MAX - Buffer.byteLength(JSON.stringify(office.charter));
  const registryAddresses = Array.from({ length: Math.floor(spareBytes / entryBytes) }, (_one, at) =>
    address(`addr-${String(at).padStart(4, '0')}`),
  );
  await office.adopt({ ...office.charter, registryAddresses });
  const tags = Array.from({ length: 10 }, (_one, at) => `${at}`.padEnd(100, 'z'));
  const tagged = amendmentBy({ by: ada, amendment: { kind: 'tagWallet' }, params: { walletId: WALLET_ID }, body: { tags } });
  await expect(office.signer.amendCharter(tagged)).rejects.toEqual(refusedAs('CharterMalformed'));
  const removal = amendmentBy({ by: ada, amendment: { kind: 'archiveUser' }, params: { userId: cyd.userId } });
  await expect(office.signer.amendCharter(removal)).resolves.toMatchObject({ sequence: 2 });
});
