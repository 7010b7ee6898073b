import { challengeWith, NONCE_BYTES } from '../../platform/action-challenge';
import { RECIPIENT } from '../support/transfer-api';
import type { WalletBody } from '../support/wallet-api';
import { createAsking, type Wish } from './asking';
import { type Office, openOffice } from './office';

const CLIENT_DATA = { origin: 'strongroom-verify', shownSha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
const HALF_ETH = '500000000000000000';

let office: Office;
let asking: ReturnType<typeof createAsking>;
let transfer: Wish;
/** A policy blocks all signatures of this wallet. */
let closed: WalletBody;
const blocked = (name: string, filters: object) => ({
  ...{ name, activityKind: 'Wallets:Sign', rule: { kind: 'AlwaysTrigger' }, action: { kind: 'Block' }, filters },
});
beforeAll(async () => {
  office = await openOffice();
  asking = createAsking(office);
  closed = await office.createWallet();
  for (const policy of [
    blocked('Closed', { walletId: { in: [closed.id] } }),
    // Judges no wallet of this organisation. The program does not know the stores, so it leaves the policy to the signer.
    blocked('Only from the software store', { storeId: { notIn: ['software'] } }),
  ])
    expect((await office.admin.client.change('POST', '/v2/policies', policy)).status).toBe(200);
  office.trusted(await office.draft({ membersAmend: true }));
  transfer = transferOf({});
});
afterAll(() => office?.close());

const transferOf = (body: object, walletId = office.wallet.id): Wish =>
  asking.wish('POST', `/wallets/${walletId}/transfers`, { kind: 'Native', to: RECIPIENT, amount: HALF_ETH, ...body });

test('the service accepts a transfer that was signed offline, and the client data states that the person saw the transfer', async () => {
  const addressBook = office.put([{ name: 'Landlord', network: 'EthereumSepolia', address: RECIPIENT }]);
  const { shown, to } = await asking.signing(transfer, { addressBook });
  expect(shown).toContain(`Wallet        ${office.wallet.id}`);
  expect(shown).toContain('Network       EthereumSepolia (a test network)');
  expect(shown).toContain(`From          ${office.wallet.address}`);
  expect(shown).toContain(`Recipient     ${RECIPIENT}  (in your address book: "Landlord")`);
  expect(shown).toContain('Amount        0.5 ETH');
  expect(shown).toContain(`In units      ${HALF_ETH}`);
  expect(shown).toMatch(/Then waits {4}for approval, by the policy \S+ "Hold everything"/);
  expect(shown).toContain(`    "amount": "${HALF_ETH}"`);
  const { firstFactor } = JSON.parse(office.read(to)) as { firstFactor: { credentialAssertion: { clientData: string } } };
  const clientData = Buffer.from(firstFactor.credentialAssertion.clientData, 'base64url').toString();
  expect(JSON.parse(clientData)).toMatchObject(CLIENT_DATA);
  expect((await asking.sent(transfer, to)).body).toMatchObject({ status: 'Pending', walletId: office.wallet.id });
});

test('a challenge is refused if its body, method, path or organisation differs from the request', async () => {
  expect(await asking.refused(transferOf({ amount: '1' }), { told: transfer })).toContain('for another body');
  const tag = asking.wish('PUT', `/wallets/${office.wallet.id}/tags`, { tags: ['hot'] });
  expect(await asking.refused(tag, { told: { ...tag, method: 'DELETE' } })).toContain('ANOTHER REQUEST');
  const broadcast = { ...transfer, path: `/wallets/${office.wallet.id}/transactions` };
  expect(await asking.refused(broadcast, { told: transfer })).toContain('ANOTHER REQUEST');
  const slash = { ...transfer, path: `${transfer.path}/` };
  expect(await asking.refused(slash, { told: transfer })).toContain('ANOTHER REQUEST');
  const challenge = await asking.announced(transfer);
  const altered = { ...challenge, commitment: { ...challenge.commitment, user: office.approver.userId } };
  expect(await asking.refused(transfer, { challenge: altered })).toContain('SOMETHING ELSE');
  const commitment = { ...challenge.commitment, approvalDigest: 'ab'.repeat(32) };
  const nonce = Buffer.from(challenge.challenge, 'base64url').subarray(0, NONCE_BYTES);
  const deciding = {
    ...challenge,
    commitment,
    challenge: challengeWith(nonce, commitment as Parameters<typeof challengeWith>[1]),
  };
  expect(await asking.refused(transfer, { challenge: deciding })).toContain('covers the content of an approval');
  expect(await asking.refused(transfer, { by: office.stranger })).toContain('have not trusted a charter');
});

test.each([
  ['a query', 'POST', '/wallets?x=1', 'has a query'],
  ['a fragment', 'POST', '/wallets#x', 'has a query'],
  ['a decision', 'POST', '/v2/policy-approvals/ap-1/decisions', 'sign"'],
  ['a decision of the first version', 'POST', '/policy-approvals/ap-1/decisions/', 'sign"'],
  ['several decisions', 'POST', '/v2/policy-approvals/decisions', 'sign"'],
  ['several decisions of the first version', 'POST', '/policy-approvals/decisions', 'sign"'],
  ['a request that no charter covers', 'POST', '/permissions', 'about which no charter says anything'],
  ['an unknown method', 'PUT', '/wallets', 'about which no charter says anything'],
  ['an encoded id', 'PUT', '/wallets/wa%2F1/tags', 'by an id'],
  ['an id that is missing', 'DELETE', '/freezes//', 'by an id'],
])('%s is not signed', async (_what, method, path, words) => {
  expect(await asking.refused(asking.wish(method, path, '{}'), { challenge: {} })).toContain(words);
});

test('a body is refused if it contains a member twice, or if the signer would not accept it as a transfer', async () => {
  const twice = { ...transfer, body: transfer.body.replace('"amount"', '"amount":"1","amount"') };
  expect(await asking.refused(twice)).toContain('must not appear twice');
  expect(await asking.refused(transferOf({ amount: '0' }))).toContain('signer would refuse');
  expect(await asking.refused(transferOf({ note: 'more' }))).toContain('signer would refuse');
  expect(await asking.refused(transferOf({ kind: 'Erc20' }))).toContain('signer would refuse');
  expect(await asking.refused(transferOf({ to: RECIPIENT.replace('C5', 'c5') }))).toContain('signer would refuse');
  expect(await asking.refused(transferOf({ kind: 'Erc7984', contract: RECIPIENT }))).toContain('hidden amounts');
  expect(await asking.refused(transferOf({ feeSponsorId: 'fs-1' }))).toContain('does not have');
  expect(await asking.refused(asking.wish('POST', transfer.path, 'junk'))).toContain('is not valid JSON');
  expect(await asking.refused(transferOf({}, 'wa-other'))).toContain('charter that you trust does not have');
});

test('a request that a policy of the charter blocks is refused', async () => {
  expect(await asking.refused(transferOf({}, closed.id))).toContain('charter forbids this request');
  const message = asking.wish('POST', `/wallets/${closed.id}/signatures`, { kind: 'Eip191', message: 'Hello' });
  expect(await asking.refused(message)).toContain('charter forbids this request');
});

test('a key does not sign if it is not in the charter or may not call the operation', async () => {
  const newcomer = await office.api.createPerson(office.orgId);
  expect(await asking.refused(transfer, { by: newcomer })).toContain('whom the charter does not name');
  const charter = await office.draft();
  const members = charter.members.map((member) => ({
    ...member,
    credentials: member.credentials.map((one) => ({ ...one, operations: ['broadcastTransaction' as const] })),
  }));
  const home = `${office.folder}/other-home`;
  office.trusted({ ...charter, members }, home);
  expect(await asking.refused(transfer, { home })).toContain('does not let this key call transferAsset');
});

test('a challenge is signed until it expires, and only after the right last characters were typed', async () => {
  const challenge = await asking.announced(transfer);
  const expiresMs = Date.parse(String(challenge.commitment['expires']));
  expect(await asking.refused(transfer, { challenge, now: new Date(expiresMs) })).toContain('expired');
  expect(await asking.refused(transfer, { challenge, typed: 'dc79C9' })).toContain('Nothing was signed');
  const { shown } = await asking.signing(transfer, { challenge, typed: 'dc79C8', now: new Date(expiresMs - 1) });
  expect(shown).toContain('SIGNED');
});

test('characters that a terminal would read as commands are shown as their numbers', async () => {
  const { shown } = await asking.signing(transferOf({ externalId: 'a\u001b[8m\u202eb' }));
  expect(shown).toContain('\\u001b[8m\\u{202e}b');
  expect(['\u001b', '\u202e'].filter((char) => shown.includes(char))).toEqual([]);
});
