import { AMENDMENTS, type AmendmentKind } from '../../../../domain/amendments';
import type { CharterOperation } from '../../../../domain/charters';
import type { Amendment } from '../../../../signer/charters/amend-charter-order';
import {
  type Chartered,
  HELD_TAG,
  HELD_WALLET_ID,
  keyHolder,
  openChartered,
  type Person,
  POLICY_ID,
  WALLET_ID,
} from '../../charters/chartered';
import { refusedAs } from '../../fixtures';
import { amendmentBy, charterNow, guardOf } from './amending';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

const removalOf = (member: Person, kind: 'deactivateUser' | 'archiveUser' = 'deactivateUser') =>
  amendmentBy({ by: office.people.ada, amendment: { kind }, params: { userId: member.userId } });
const tagging = (kind: 'tagWallet' | 'untagWallet', walletId: string, tags: string[]) =>
  amendmentBy({ by: office.people.ada, amendment: { kind }, params: { walletId }, body: { tags } });
const tagsOf = (walletId: string) => charterNow(office).wallets.find(({ id }) => id === walletId)?.tags;

test.each(['deactivateUser', 'archiveUser'] as const)('a removed member (%s) can no longer request or approve', async (kind) => {
  const { ada, ben, cyd } = office.people;
  await office.adopt();
  const held = office.held(ada, [ben, cyd]);
  await office.signer.amendCharter(removalOf(cyd, kind));
  await expect(office.signer.signTransfer(office.transfer(cyd))).rejects.toEqual(refusedAs('NotInCharter'));
  await expect(office.signer.signTransfer(held)).rejects.toEqual(refusedAs('VotesMissing'));
  const { sequence } = await office.signer.amendCharter(removalOf(cyd, kind));
  expect(sequence).toBe(2);
});

test.each(['deactivateServiceAccount', 'archiveServiceAccount'] as const)(
  'a removed service account (%s) can no longer request, and the right to remove service accounts does not extend to people',
  async (kind) => {
    const { ada, cyd, bot } = office.people;
    await office.adopt();
    const removing = (serviceAccountId: string) => amendmentBy({ by: ada, amendment: { kind }, params: { serviceAccountId } });
    expect(await office.signer.amendCharter(removing(cyd.userId))).toMatchObject({ sequence: 1 });
    await expect(office.signer.signTransfer(office.transfer(bot))).resolves.toBeDefined();
    expect(await office.signer.amendCharter(removing(bot.userId))).toMatchObject({ sequence: 2 });
    await expect(office.signer.signTransfer(office.transfer(bot))).rejects.toEqual(refusedAs('NotInCharter'));
    await expect(office.signer.signTransfer(office.transfer(cyd))).resolves.toBeDefined();
  },
);

test('members remove their own credentials only', async () => {
  const { ada, ben, cyd } = office.people;
  await office.adopt();
  const body = { credentialUuid: cyd.credential.id };
  await office.signer.amendCharter(amendmentBy({ by: ada, amendment: { kind: 'deactivateCredential' }, body }));
  expect(charterNow(office).sequence).toBe(1);
  await office.signer.amendCharter(amendmentBy({ by: cyd, amendment: { kind: 'deactivateCredential' }, body }));
  await expect(office.signer.signTransfer(office.transfer(cyd))).rejects.toEqual(refusedAs('AssertionInvalid'));
  const params = { credentialUuid: ben.credential.id };
  await office.signer.amendCharter(amendmentBy({ by: ben, amendment: { kind: 'deleteCredential' }, params }));
  await expect(office.signer.signTransfer(office.transfer(ben))).rejects.toEqual(refusedAs('AssertionInvalid'));
});

test.each(['deactivatePersonalAccessToken', 'archivePersonalAccessToken'] as const)(
  'after %s the key of this token is no longer accepted, and the other keys of the member still are',
  async (kind) => {
    const { ada, ben } = office.people;
    const token = keyHolder('token');
    const members = office.charter.members.map((member) =>
      member.userId === ada.userId
        ? { ...member, credentials: [...member.credentials, { ...token.credential, tokenId: 'to-ada' }] }
        : member,
    );
    await office.signer.charters.adopt(office.signedBy({ ...office.charter, members }));
    const program = { ...ada, ...token, userId: ada.userId };
    const removing = (by: Person, tokenId: string) => amendmentBy({ by, amendment: { kind }, params: { tokenId } });
    expect(await office.signer.amendCharter(removing(ben, 'to-ada'))).toMatchObject({ sequence: 1 });
    expect(await office.signer.amendCharter(removing(ada, 'to-other'))).toMatchObject({ sequence: 1 });
    await expect(office.signer.signTransfer(office.transfer(program))).resolves.toBeDefined();
    expect(await office.signer.amendCharter(removing(ada, 'to-ada'))).toMatchObject({ sequence: 2 });
    await expect(office.signer.signTransfer(office.transfer(program))).rejects.toEqual(refusedAs('AssertionInvalid'));
    await expect(office.signer.signTransfer(office.transfer(ada))).resolves.toBeDefined();
  },
);

test('the tags that members add and remove decide which policies judge the next order', async () => {
  const { ada } = office.people;
  await office.adopt();
  await office.signer.amendCharter(tagging('tagWallet', WALLET_ID, [HELD_TAG, 'a', HELD_TAG]));
  expect(tagsOf(WALLET_ID)).toEqual(['a', HELD_TAG]);
  await expect(office.signer.signTransfer(office.transfer(ada))).rejects.toEqual(refusedAs('ApprovalMissing'));
  await office.signer.amendCharter(tagging('untagWallet', WALLET_ID, [HELD_TAG, 'none']));
  expect(tagsOf(WALLET_ID)).toEqual(['a']);
  await expect(office.signer.signTransfer(office.transfer(ada))).resolves.toBeDefined();
});

test('a change of tags without an effect leaves the charter unchanged', async () => {
  await office.adopt();
  for (const order of [
    tagging('tagWallet', HELD_WALLET_ID, [HELD_TAG]),
    tagging('untagWallet', WALLET_ID, ['a']),
    tagging('tagWallet', 'wa-unknown', ['a']),
  ])
    expect(await office.signer.amendCharter(order)).toMatchObject({ sequence: 1 });
});

test('a tag in the filter of a guarded policy is neither added nor removed', async () => {
  const { ben, cyd } = office.people;
  const guard = guardOf([ben, cyd], { filters: { policyId: { in: [POLICY_ID] } } });
  await office.signer.charters.adopt(office.signedBy({ ...office.charter, changePolicies: [guard] }));
  const refused = refusedAs('ApprovalMissing');
  await expect(office.signer.amendCharter(tagging('tagWallet', WALLET_ID, [HELD_TAG]))).rejects.toEqual(refused);
  await expect(office.signer.amendCharter(tagging('untagWallet', HELD_WALLET_ID, [HELD_TAG]))).rejects.toEqual(refused);
  await expect(office.signer.amendCharter(tagging('tagWallet', WALLET_ID, ['a']))).resolves.toMatchObject({ sequence: 2 });
});

const AMENDMENT_OF: { readonly [K in AmendmentKind]: Amendment<K> } = {
  createWallet: { kind: 'createWallet', walletId: 'wa-new', keyId: 'key-new' },
  tagWallet: { kind: 'tagWallet' },
  untagWallet: { kind: 'untagWallet' },
  createPolicy: { kind: 'createPolicy', policyId: 'plc-new', version: 1, groupIds: [] },
  updatePolicy: { kind: 'updatePolicy', version: 2, groupIds: [] },
  archivePolicy: { kind: 'archivePolicy' },
  deactivateUser: { kind: 'deactivateUser' },
  archiveUser: { kind: 'archiveUser' },
  deactivateServiceAccount: { kind: 'deactivateServiceAccount' },
  archiveServiceAccount: { kind: 'archiveServiceAccount' },
  deactivatePersonalAccessToken: { kind: 'deactivatePersonalAccessToken' },
  archivePersonalAccessToken: { kind: 'archivePersonalAccessToken' },
  deactivateCredential: { kind: 'deactivateCredential' },
  deleteCredential: { kind: 'deleteCredential' },
};
const kinds = Object.keys(AMENDMENT_OF) as AmendmentKind[];

test.each(kinds.filter((kind) => AMENDMENTS[kind].permissions.length > 0))(
  '%s is accepted only if the charter grants its operation',
  async (kind) => {
    const { ada } = office.people;
    const operations = ada.credential.operations.filter((one: CharterOperation) => one !== kind);
    const [first, ...others] = office.charter.members;
    if (!first) throw new Error('no member');
    const members = [{ ...first, credentials: [{ ...ada.credential, operations }] }, ...others];
    await office.signer.charters.adopt(office.signedBy({ ...office.charter, members }));
    const order = amendmentBy({ by: ada, amendment: AMENDMENT_OF[kind] });
    await expect(office.signer.amendCharter(order)).rejects.toEqual(refusedAs('NotPermitted'));
  },
);

test.each(kinds)('%s is refused without a charter, without its action, and with an action of a different kind', async (kind) => {
  const { ada } = office.people;
  const order = { ...amendmentBy({ by: ada, amendment: AMENDMENT_OF[kind] }) };
  await expect(office.signer.amendCharter(order)).rejects.toEqual(refusedAs('NotInCharter'));
  await office.adopt();
  const [action] = order.evidence;
  if (action?.kind !== 'Initiator') throw new Error('no action');
  const vote = { ...action, kind: 'Approver' as const };
  await expect(office.signer.amendCharter({ ...order, evidence: [vote] })).rejects.toEqual(refusedAs('InitiatorMissing'));
  await expect(office.signer.amendCharter({ ...order, evidence: [action, action] })).rejects.toEqual(
    refusedAs('InitiatorMissing'),
  );
  const isAlike = (other: AmendmentKind) =>
    AMENDMENTS[other].path === AMENDMENTS[kind].path && AMENDMENTS[other].method === AMENDMENTS[kind].method;
  for (const other of kinds.filter((one) => !isAlike(one))) {
    const { evidence } = amendmentBy({ by: ada, amendment: AMENDMENT_OF[other] });
    await expect(office.signer.amendCharter({ ...order, evidence })).rejects.toEqual(refusedAs('RequestMismatch'));
  }
  expect(charterNow(office).sequence).toBe(1);
});
