import { createHash, randomBytes } from 'node:crypto';
import { evidenceOf } from '../../../../activities/signatures/order-evidence';
import { verifyRecordedAction } from '../../../../application/user-actions/recorded-actions';
import { CHARTER_OPERATION_IDS } from '../../../../domain/charters';
import { signerAnchorStore } from '../../../../entities/deployment/signer-anchor.store';
import { UserActionEntity } from '../../../../entities/user-actions/user-action.entity';
import { createSecretBox } from '../../../../platform/secret-box';
import type { CreatedKey } from '../../../../signer/protocol';
import type { Evidence } from '../../../../signer/record/evidence';
import { type Chartered, openChartered, WALLET_ID } from '../../../signer/charters/chartered';
import { codec, keyOrder, orderFor, refusedAs } from '../../../signer/fixtures';
import type { Person } from '../../../support/api';
import { type CredentialApi, startCredentialApi } from '../../../support/credential-api';

const DATA_KEK = randomBytes(32);
const signedBodies = createSecretBox(DATA_KEK, 'user-actions');
const PATH = `/wallets/${WALLET_ID}/transfers`;
const DAY_MS = 86_400_000;
type Announced = {
  readonly challenge: string;
  readonly challengeIdentifier: string;
  readonly commitment: Record<string, unknown>;
};

let on: CredentialApi;
let office: Chartered;
let person: Person;
let key: CreatedKey;
beforeAll(async () => {
  on = await startCredentialApi({ own: 'all organisations share the anchor', dataKek: DATA_KEK.toString('hex') });
  person = await on.person();
  office = await openChartered();
  office.clock.nowMs = Date.now();
  await adopt();
});
afterAll(async () => {
  await office?.close();
  await on?.api.close();
});
beforeEach(async () => {
  office.clock.nowMs = Date.now();
  await on.api.database.arrange('DELETE FROM signer_anchors', []);
});

/** The signer gets a charter for the API's organisation, with the key of the organisation's administrator. */
async function adopt(): Promise<void> {
  const { orgId, userId, credentialUuid } = person;
  const [credential] = await on.api.database.db
    .read(orgId)
    .select<{ publicKey: string }>('SELECT public_key AS "publicKey" FROM credentials WHERE id = $1', [credentialUuid]);
  const common = { id: credentialUuid, kind: 'Key' as const, operations: [...CHARTER_OPERATION_IDS] };
  const credentials = [{ ...common, publicKey: credential?.publicKey ?? '' }];
  key = await office.signer.createKey(keyOrder('key-of-person', orgId));
  const [free] = office.charter.wallets;
  if (!free) throw new Error('no wallet');
  const wallets = [{ ...free, keyId: key.sealed.keyId, address: codec.addressOf(key.publicKeyHex) }];
  const member = { userId, hand: userId, isServiceAccount: false, credentials };
  await office.adopt({ ...office.charter, organizationId: orgId, members: [member], wallets, policies: [] });
}

const keepAnchor = (anchor: string, ageMs = 0) =>
  on.api.database.db.withOrg('', (tx) => signerAnchorStore.keep(tx, anchor, ageMs));
const announce = async (text: string) => (await person.client.announce('POST', PATH, text)).body as Announced;
let asked = 0;
/** Signs a transfer over HTTP as the person, and returns the order of the worker for this transfer. */
async function orderOf(how: { readonly used?: boolean } = {}) {
  asked += 1;
  const plain = orderFor(key, `xfr-anchored-${asked}`, { nonce: 700 + asked });
  const text = JSON.stringify({ kind: 'Native', to: plain.intent.to, amount: plain.intent.amountUnits });
  const { challenge, challengeIdentifier, commitment } = await announce(text);
  const signed = await person.client.post('/auth/action', { challengeIdentifier, firstFactor: person.client.factor(challenge) });
  expect(signed.status).toBe(200);
  const reader = on.api.database.db.read(person.orgId);
  const row = await reader.row(UserActionEntity, 'WHERE t.challenge = $1', [challenge]);
  const id = row?.id ?? '';
  if (how.used) await on.api.database.arrange('UPDATE user_actions SET date_consumed = clock_timestamp() WHERE id = $1', [id]);
  const evidence: Evidence[] = await evidenceOf(reader, signedBodies, { userActionId: id, approvalId: null });
  const nowMs = Date.now();
  office.clock.nowMs = nowMs;
  const moment = { issuedAt: new Date(nowMs).toISOString(), notAfter: new Date(nowMs + 60_000).toISOString() };
  return { id, commitment, order: { ...plain, ...moment, evidence } };
}

test('a challenge commits to the signer’s fresh anchor (its signed time), and has the earlier format if there is no anchor', async () => {
  const before = await announce('{}');
  expect(before.commitment).toMatchObject({ v: 1 });
  expect(before.commitment).not.toHaveProperty('anchor');
  const anchor = office.anchorAt();
  await keepAnchor(anchor);
  const { challenge, commitment } = await announce('{}');
  expect(commitment).toMatchObject({ v: 2, anchor });
  // This is the text that a client computes, with sorted members and without spaces.
  const sorted = Object.keys(commitment).sort();
  const text = `{${sorted.map((name) => `${JSON.stringify(name)}:${JSON.stringify(commitment[name])}`).join(',')}}`;
  expect(Buffer.from(challenge, 'base64url').subarray(16)).toEqual(createHash('sha256').update(text).digest());
  const [row] = await on.api.database.db
    .read(person.orgId)
    .select<{ anchor: string }>('SELECT anchor FROM user_actions WHERE challenge = $1', [challenge]);
  expect(row?.anchor).toBe(anchor);
});

test('an anchor is used for a minute after the worker requested it', async () => {
  await keepAnchor(office.anchorAt(), 50_000);
  expect((await announce('{}')).commitment).toMatchObject({ v: 2 });
  await on.api.database.arrange(`UPDATE signer_anchors SET date_asked = date_asked - interval '10 seconds'`, []);
  expect((await announce('{}')).commitment).toMatchObject({ v: 1 });
});

test('a recorded action proves its request with or without an anchor, but not after a change of its anchor', async () => {
  const verified = (id: string) => verifyRecordedAction(on.api.database.db.read(person.orgId), id, { signedBodies });
  const unproven = { kind: 'Unproven', reason: 'ChallengeDiffers' };
  const bare = await orderOf({ used: true });
  expect(await verified(bare.id)).toMatchObject({ kind: 'Proven' });
  await keepAnchor(office.anchorAt());
  const anchored = await orderOf({ used: true });
  expect(await verified(anchored.id)).toMatchObject({ kind: 'Proven' });
  const set = (id: string, anchor: string | null) =>
    on.api.database.arrange('UPDATE user_actions SET anchor = $2 WHERE id = $1', [id, anchor]);
  await set(bare.id, office.anchorAt());
  expect(await verified(bare.id)).toEqual(unproven);
  for (const anchor of [null, '', office.anchorAt(0)]) {
    await set(anchored.id, anchor);
    expect(await verified(anchored.id)).toEqual(unproven);
  }
});

test('the signer accepts an action that a person signed over HTTP with the signer’s anchor', async () => {
  await keepAnchor(office.anchorAt());
  const { order } = await orderOf();
  await expect(office.signer.signTransfer(order)).resolves.toBeDefined();
});

test('the signer refuses actions with an anchor that was altered through the worker’s database role', async () => {
  const other = await openChartered();
  for (const [anchor, reason] of [
    [undefined, 'ActionNotAnchored'],
    ['', 'ActionNotAnchored'],
    ['anchor1.x.0.y', 'ActionNotAnchored'],
    [other.anchorAt(Date.now()), 'ActionNotAnchored'],
    // The action expires later after this old anchor than is allowed. So an old anchor cannot backdate an action.
    [office.anchorAt(Date.now() - 3_600_000), 'ActionMismatch'],
    // An honest anchor lies in the future only if the clock was set back after the signer made the anchor.
    [office.anchorAt(Date.now() + DAY_MS), 'ActionNotAnchored'],
  ] as const) {
    await on.api.database.arrange('DELETE FROM signer_anchors', []);
    if (anchor !== undefined) await keepAnchor(anchor);
    const { order, commitment } = await orderOf();
    expect(commitment['anchor']).toBe(anchor);
    await expect(office.signer.signTransfer(order)).rejects.toEqual(refusedAs(reason));
  }
  await other.close();
});
