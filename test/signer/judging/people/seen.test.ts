import { CHARTER_OPERATION_IDS, type CharterOperation } from '../../../../domain/charters';
import { VERIFIER_ORIGIN } from '../../../../platform/seen-assertions';
import type { CharterSeen } from '../../../../signer/charters/charter';
import { actionOf, type Chartered, openChartered, type Person } from '../../charters/chartered';
import { keyOrder, NOW_MS, ORG, refusedAs } from '../../fixtures';
import { amendmentBy } from '../amendments/amending';

const PAGE = 'https://check.localhost';
const MOMENT = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 1_000).toISOString() };

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
});
afterEach(() => office.close());

/** The same person with a different client, which writes these members into the client data. */
const signingWith = (person: Person, members: Readonly<Record<string, unknown>>): Person => ({
  ...person,
  answer: (challenge) => person.answer(challenge, members),
});
const inVerifier = (person: Person): Person => signingWith(person, { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) });
const onPage = (person: Person): Person => signingWith(person, { origin: PAGE });

const demanding = (operations: CharterOperation[], more: Partial<CharterSeen> = {}) =>
  office.adopt({ ...office.charter, seen: { operations, origins: [PAGE], ...more } });

test('a vote is accepted only if it is seen, in the verifier or with a passkey on a listed page', async () => {
  await demanding(['createApprovalDecision']);
  const { signer, people, held } = office;
  const { ada, ben, cyd } = people;
  const refused = refusedAs('VotesMissing');
  await expect(signer.signTransfer(held(ada, [ben, cyd]))).rejects.toEqual(refused);
  await expect(signer.signTransfer(held(ada, [onPage(ben), cyd]))).rejects.toEqual(refused);
  await expect(signer.signTransfer(held(ada, [ben, inVerifier(cyd)]))).rejects.toEqual(refused);
  await expect(signer.signTransfer(held(ada, [inVerifier(ben), inVerifier(cyd)]))).rejects.toEqual(refused);
  await expect(signer.signTransfer(held(ada, [onPage(ben), inVerifier(cyd)]))).resolves.toBeDefined();
});

test('a passkey vote from a page that the charter does not list is blind', async () => {
  await demanding(['createApprovalDecision'], { origins: [] });
  const { signer, people, held } = office;
  const order = held(people.ada, [onPage(people.ben), inVerifier(people.cyd)]);
  await expect(signer.signTransfer(order)).rejects.toEqual(refusedAs('VotesMissing'));
});

test('a blind request is refused, even with seen votes', async () => {
  await demanding(['transferAsset']);
  const { signer, people, transfer, held } = office;
  const { ada, ben, cyd } = people;
  await expect(signer.signTransfer(transfer(ada))).rejects.toEqual(refusedAs('NotSeen'));
  await expect(signer.signTransfer(held(ada, [onPage(ben), inVerifier(cyd)]))).rejects.toEqual(refusedAs('NotSeen'));
  await expect(signer.signTransfer(transfer(onPage(ada)))).rejects.toEqual(refusedAs('NotSeen'));
  await expect(signer.signTransfer(transfer(inVerifier(ada)))).resolves.toBeDefined();
  await expect(signer.signTransfer(held(inVerifier(ada), [ben, cyd]))).resolves.toBeDefined();
});

test('a service account cannot see content, so the demand does not apply to service accounts', async () => {
  await demanding(['transferAsset']);
  await expect(office.signer.signTransfer(office.transfer(office.people.bot))).resolves.toBeDefined();
});

test('if the charter demands seen releases of freezes, a blind release is refused', async () => {
  await demanding(['releaseFreeze']);
  const { signer, people } = office;
  const freeze = { orgId: ORG, freezeId: 'frz-1', ...MOMENT };
  await signer.setFreeze({ ...freeze, evidence: [], target: { kind: 'Organization' } });
  const release = (by: Person) =>
    signer.releaseFreeze({ ...freeze, evidence: [actionOf('Initiator', by, { method: 'DELETE', path: '/freezes/frz-1' })] });
  await expect(release(people.ada)).rejects.toEqual(refusedAs('NotSeen'));
  await expect(release(inVerifier(people.ada))).resolves.toBeDefined();
});

test('if the charter demands a seen amendment, a blind one is refused, and so are blind tags of a new wallet', async () => {
  await demanding(['createWallet', 'tagWallet']);
  const { signer, people } = office;
  await signer.createKey(keyOrder('key-new'));
  const amendment = { kind: 'createWallet', walletId: 'wa-00000-00000-0000000000000009', keyId: 'key-new' } as const;
  const body = { network: 'EthereumSepolia' };
  const blind = refusedAs('NotSeen');
  await expect(signer.amendCharter(amendmentBy({ by: people.ada, amendment, body }))).rejects.toEqual(blind);
  await expect(signer.amendCharter(amendmentBy({ by: people.ada, amendment, body: { ...body, tags: ['a'] } }))).rejects.toEqual(
    blind,
  );
  const accepted = await signer.amendCharter(
    amendmentBy({ by: inVerifier(people.ada), amendment, body: { ...body, tags: ['a'] } }),
  );
  expect(accepted).toMatchObject({ sequence: 2 });
  const again = { ...amendment, walletId: 'wa-00000-00000-0000000000000008' };
  await expect(signer.amendCharter(amendmentBy({ by: people.ada, amendment: again, body }))).rejects.toEqual(blind);
});

test('a member may remove their own credential blind, whatever the charter demands', async () => {
  await demanding(CHARTER_OPERATION_IDS);
  const { cyd } = office.people;
  const amendment = { kind: 'deleteCredential' } as const;
  const params = { credentialUuid: cyd.credential.id };
  await expect(office.signer.amendCharter(amendmentBy({ by: cyd, amendment, params }))).resolves.toMatchObject({ sequence: 2 });
});

test('if the charter does not demand it, a blind action is accepted', async () => {
  await office.adopt();
  const { signer, people, held } = office;
  await expect(signer.signTransfer(held(people.ada, [people.ben, people.cyd]))).resolves.toBeDefined();
});

test.each<[string, object]>([
  ['without operations', { operations: [], origins: [] }],
  ['with an operation twice', { operations: ['transferAsset', 'transferAsset'], origins: [] }],
  ['with an unknown operation', { operations: ['exportEverything'], origins: [] }],
  ['with an unencrypted page', { operations: ['transferAsset'], origins: ['http://check.example.com'] }],
  ['with the path of a page', { operations: ['transferAsset'], origins: ['https://check.example.com/'] }],
  ['with an origin that no browser writes', { operations: ['transferAsset'], origins: ['https://Check.example.com'] }],
  ['with a page twice', { operations: ['transferAsset'], origins: [PAGE, PAGE] }],
])('a charter with a `seen` demand %s is malformed', async (_words, seen) => {
  const content = JSON.stringify({ ...office.charter, seen });
  await expect(office.signer.charters.adopt(office.signedBy(content))).rejects.toEqual(refusedAs('CharterMalformed'));
});
