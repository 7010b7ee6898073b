import { readAttestation } from '../../../../platform/address-attestation';
import { fingerprintOf } from '../../../../platform/fingerprint';
import type { Amendment } from '../../../../signer/charters/amend-charter-order';
import { type CharterCredential, charterDigest, type Holder } from '../../../../signer/charters/charter';
import { removeIndexes } from '../../../../signer/wire/operator-api';
import { keyHolder, type Person, type Said } from '../../charters/chartered';
import { HELD_KEY_ID, type Holding, holderOf, openHolding, walletAsked, ZOE_WALLET_ID } from '../../charters/holding';
import { restricter, restrictionText } from '../../charters/restricting';
import { keyOrder, NOW_MS, ORG, refusedAs } from '../../fixtures';
import { amendmentBy, charterNow } from '../amendments/amending';

const DAY_MS = 86_400_000;
const LATER_WALLET_ID = 'wa-00000-later-0000000000000000';

let office: Holding;
/** Zoe has three credentials: her first, a spare, and a later credential that she registered after her first wallet. */
let zoe: Person;
let spare: Person;
let late: Person;
beforeEach(async () => {
  office = await openHolding();
  const { anchorAt } = office;
  zoe = office.endUsers.zoe;
  const another = (name: string): Person => ({ ...keyHolder(name), userId: zoe.userId, anchorAt });
  [spare, late] = [another('spare'), another('late')];
});
afterEach(() => office.close());

const withAll = (...people: readonly Person[]): Holder => ({
  userId: zoe.userId,
  credentials: people.flatMap((one) => holderOf(one).credentials),
});

/** Makes a key with a wallet for these credentials of Zoe. By default, the first credential signs the request. */
async function wallet(people: readonly Person[], walletId = ZOE_WALLET_ID, keyId = HELD_KEY_ID, by = people[0] ?? zoe) {
  const evidence = [walletAsked(by)];
  const key = await office.signer.createKey({ ...keyOrder(keyId), holder: { ...withAll(...people), evidence } });
  await office.signer.amendCharter(office.walletOrder(walletId, keyId, evidence));
  return key;
}
type Key = Awaited<ReturnType<typeof wallet>>;

type Kind = 'deactivateCredential' | 'deleteCredential';
const removal = (
  by: Person,
  removed: Person,
  kind: Kind = 'deactivateCredential',
  signed: Pick<Said, 'anchor' | 'expiresMs'> = {},
) => {
  const credentialUuid = removed.credential.id;
  const amendment = { kind } as Amendment<Kind>;
  return amendmentBy({
    ...{ by, amendment, signed, params: { credentialUuid } },
    body: kind === 'deactivateCredential' ? { credentialUuid } : {},
  });
};
const remove = (...given: Parameters<typeof removal>) => office.signer.amendCharter(removal(...given));
const pays = (by: Person, key: Key, walletId = ZOE_WALLET_ID) => office.signer.signTransfer(office.pay(by, key, walletId));
const INVALID = refusedAs('AssertionInvalid');

test.each(['deactivateCredential', 'deleteCredential'] as const)(
  'a credential that the end user removes (%s) can no longer sign with the key, and the other credentials still can',
  async (kind) => {
    const key = await wallet([zoe, spare]);
    await expect(pays(spare, key)).resolves.toBeDefined();
    const before = office.pay(spare, key);
    expect(await remove(zoe, spare, kind)).toEqual({ sequence: 1, digest: charterDigest(JSON.stringify(charterNow(office))) });
    await expect(pays(spare, key)).rejects.toEqual(INVALID);
    await expect(office.signer.signTransfer(before)).rejects.toEqual(INVALID);
    await expect(pays(zoe, key)).resolves.toBeDefined();
  },
);

test('a credential can sign its own removal', async () => {
  const key = await wallet([zoe, spare]);
  await remove(spare, spare);
  await expect(pays(spare, key)).rejects.toEqual(INVALID);
  await expect(pays(zoe, key)).resolves.toBeDefined();
});

test('a removed credential can request neither a wallet for the key nor a later key, even if the service lists it again', async () => {
  await wallet([zoe, spare]);
  await remove(zoe, spare);
  const amendment = office.walletOrder(LATER_WALLET_ID, HELD_KEY_ID, [
    walletAsked(spare, { network: 'BaseSepolia', signingKey: { id: HELD_KEY_ID } }),
  ]);
  await expect(office.signer.amendCharter(amendment)).rejects.toEqual(INVALID);
  await expect(wallet([spare, zoe], LATER_WALLET_ID, 'key-later', spare)).rejects.toEqual(INVALID);
  const later = await wallet([spare, zoe], LATER_WALLET_ID, 'key-later', zoe);
  await expect(pays(spare, later, LATER_WALLET_ID)).rejects.toEqual(INVALID);
  await expect(pays(zoe, later, LATER_WALLET_ID)).resolves.toBeDefined();
});

test('the attestation of the address lists only the credentials that are still accepted', async () => {
  await wallet([zoe, spare]);
  await remove(zoe, spare);
  const { attestation } = await office.signer.attestAddress({ orgId: ORG, keyId: HELD_KEY_ID, network: 'EthereumSepolia' });
  expect(readAttestation(attestation)?.holder?.credentials).toEqual([fingerprintOf(zoe.credential.publicKey)]);
});

test.each([
  ['a restart', () => undefined],
  ['a new index from the journal', (stateDir: string) => removeIndexes(stateDir)],
])('%s does not bring back a removed credential', async (_what, meanwhile) => {
  const key = await wallet([zoe, spare]);
  await remove(zoe, spare);
  const { signer, folder, open, pay } = office;
  await signer.close();
  await meanwhile(folder.path);
  const again = await open();
  await expect(again.signTransfer(pay(spare, key))).rejects.toEqual(INVALID);
  await expect(again.signTransfer(pay(zoe, key))).resolves.toBeDefined();
  await again.close();
});

test('the last credential of a key stays, and its removal is refused', async () => {
  const key = await wallet([zoe]);
  await expect(remove(zoe, zoe)).rejects.toEqual(refusedAs('CredentialKept'));
  await expect(pays(zoe, key)).resolves.toBeDefined();
  const other = await wallet([zoe, spare], LATER_WALLET_ID, 'key-later');
  await remove(spare, zoe);
  await expect(pays(zoe, other, LATER_WALLET_ID)).rejects.toEqual(INVALID);
  await expect(remove(spare, spare)).rejects.toEqual(refusedAs('CredentialKept'));
  await expect(pays(spare, other, LATER_WALLET_ID)).resolves.toBeDefined();
  // The removal does not affect the first key: the spare credential cannot sign there, so the removed credential is the last.
  await expect(pays(zoe, key)).resolves.toBeDefined();
});

test('a credential that was registered after a key cannot remove a credential from this key', async () => {
  const key = await wallet([zoe, spare]);
  await expect(remove(late, spare)).rejects.toEqual(INVALID);
  const later = await wallet([zoe, late], LATER_WALLET_ID, 'key-later');
  await expect(remove(late, spare)).rejects.toEqual(refusedAs('CredentialKept'));
  await remove(late, zoe);
  await expect(pays(zoe, later, LATER_WALLET_ID)).rejects.toEqual(INVALID);
  for (const by of [zoe, spare]) await expect(pays(by, key)).resolves.toBeDefined();
});

test('a credential that the service plants on a new key cannot remove a credential from earlier keys', async () => {
  const key = await wallet([zoe, spare]);
  const planted: Person = { ...late, credential: { ...late.credential, id: zoe.credential.id } };
  await wallet([planted, spare], LATER_WALLET_ID, 'key-later');
  await expect(remove(planted, spare)).rejects.toEqual(INVALID);
  for (const by of [zoe, spare]) await expect(pays(by, key)).resolves.toBeDefined();
});

test('a credential that the service planted earlier under the id of a later credential cannot remove a credential from the later key', async () => {
  const planted: Person = { ...keyHolder('thief'), userId: zoe.userId, anchorAt: office.anchorAt };
  const posing = { ...planted, credential: { ...planted.credential, id: late.credential.id } };
  await wallet([posing, spare], LATER_WALLET_ID, 'key-later');
  const key = await wallet([zoe, spare, late]);
  await remove(posing, spare);
  for (const by of [zoe, spare, late]) await expect(pays(by, key)).resolves.toBeDefined();
});

test('no other person removes a credential: another end user, a member, the worker', async () => {
  const { endUsers, people, wallet: walletOf } = office;
  const key = await wallet([zoe, spare]);
  await walletOf(endUsers.yan, 'wa-00000-00yan-0000000000000000', 'key-yan');
  const sequence = 1;
  expect(await remove(people.ada, spare)).toMatchObject({ sequence });
  expect(await remove(endUsers.yan, spare)).toMatchObject({ sequence });
  const posing: Person = { ...people.ada, userId: zoe.userId };
  for (const by of [posing, { ...posing, credential: { ...posing.credential, id: zoe.credential.id } }])
    await expect(remove(by, spare)).rejects.toEqual(INVALID);
  const order = removal(zoe, spare);
  await expect(office.signer.amendCharter({ ...order, evidence: [] })).rejects.toEqual(refusedAs('InitiatorMissing'));
  await expect(pays(spare, key)).resolves.toBeDefined();
});

test('a removal is accepted only as signed: for its credential and operation, once, and for a day', async () => {
  const key = await wallet([zoe, spare, late]);
  const order = removal(zoe, spare);
  const changed = order.evidence.map((one) => ({ ...one, body: JSON.stringify({ credentialUuid: late.credential.id }) }));
  await expect(office.signer.amendCharter({ ...order, evidence: changed })).rejects.toEqual(refusedAs('ActionMismatch'));
  const renamed = { ...order, amendment: { kind: 'deleteCredential' as const } };
  await expect(office.signer.amendCharter(renamed)).rejects.toEqual(refusedAs('RequestMismatch'));
  const old = removal(zoe, spare, 'deactivateCredential', {
    anchor: office.anchorAt(NOW_MS - DAY_MS - 1),
    expiresMs: NOW_MS - DAY_MS,
  });
  await expect(office.signer.amendCharter(old)).rejects.toEqual(refusedAs('ActionTooOld'));
  const head = await office.signer.amendCharter(order);
  expect(await office.signer.amendCharter(order)).toEqual(head);
  expect(await office.signer.amendCharter({ ...order, amendmentId: 'amd-again' })).toEqual(head);
  await expect(pays(spare, key)).rejects.toEqual(INVALID);
  await expect(pays(late, key)).resolves.toBeDefined();
});

test('a removal is accepted even while no charter serves end users, so that no later charter brings the credential back', async () => {
  const key = await wallet([zoe, spare]);
  await office.follow({ endUsers: null });
  await remove(zoe, spare);
  await office.follow({ sequence: 3 });
  await expect(pays(spare, key)).rejects.toEqual(INVALID);
  await expect(pays(zoe, key)).resolves.toBeDefined();
});

describe('a restriction by a member who may remove others', () => {
  const eve = restricter('eve');
  const restricting = (...removed: readonly Person[]) => restrictingWith(eve.credential, ...removed);
  const restrictingWith = async (credential: CharterCredential, ...removed: readonly Person[]) => {
    const { userId } = eve;
    const member = { userId, hand: userId, isServiceAccount: false, credentials: [credential] };
    await office.follow({ members: [...office.charter.members, member] });
    const removes = removed.map((one) => ({ userId: zoe.userId, credentialId: one.credential.id }));
    return eve.signed(restrictionText(office, eve, { removes }));
  };

  test('removes the credential from every key, without the worker', async () => {
    const key = await wallet([zoe, spare]);
    const signed = await restricting(spare);
    expect(await office.signer.charters.restrict(signed)).toMatchObject({ sequence: 3 });
    await expect(pays(spare, key)).rejects.toEqual(INVALID);
    await expect(pays(zoe, key)).resolves.toBeDefined();
    expect(await office.signer.charters.restrict(signed)).toMatchObject({ sequence: 3 });
  });

  test('is refused if no credential would be left', async () => {
    const key = await wallet([zoe, spare]);
    await expect(office.signer.charters.restrict(await restricting(zoe, spare))).rejects.toEqual(refusedAs('CredentialKept'));
    for (const by of [zoe, spare]) await expect(pays(by, key)).resolves.toBeDefined();
  });

  test('is refused if its key may not remove others', async () => {
    await wallet([zoe, spare]);
    const signed = await restrictingWith({ ...eve.credential, operations: ['transferAsset'] }, spare);
    await expect(office.signer.charters.restrict(signed)).rejects.toEqual(refusedAs('NotPermitted'));
  });

  test('is refused for a credential that is not accepted for any key', async () => {
    await wallet([zoe, spare]);
    await expect(office.signer.charters.restrict(await restricting(late))).rejects.toEqual(refusedAs('NotInCharter'));
  });
});
