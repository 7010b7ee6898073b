import { generateKeyPairSync } from 'node:crypto';
import { challengeWith, NONCE_BYTES } from '../../platform/action-challenge';
import { NotVerified, WrongUsage } from '../../verify/not-verified';
import { sign } from '../../verify/sign';
import type { Person } from '../support/api';
import { RECIPIENT } from '../support/transfer-api';
import { type Office, openOffice, refusal } from './office';

type Held = Awaited<ReturnType<Office['held']>>;
type Challenge = { readonly challenge: string; readonly commitment: Readonly<Record<string, unknown>> };

let office: Office;
let held: Held;
let challenge: Challenge;
const people = new Map<string, Person>();
const KEYS = {
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
};
beforeAll(async () => {
  office = await openOffice();
  for (const [name, keys] of Object.entries(KEYS))
    people.set(name, await office.api.createPerson(office.orgId, { keys: keys() }));
  office.trusted(await office.draft());
  held = await office.held();
  challenge = (await office.announced(held.approvalId)) as Challenge;
});
afterAll(() => office?.close());

let files = 0;
type More = {
  readonly typed?: string;
  readonly by?: Person;
  readonly deny?: boolean;
  readonly now?: Date;
  readonly credential?: string;
};

/** Signs as the person does, and returns what was shown and the written file. */
async function signing(given: unknown, approval: unknown, more: More = {}) {
  const { typed = RECIPIENT.slice(-6), by = office.approver, deny, now = new Date(), credential } = more;
  files += 1;
  const to = `${office.folder}/signed-${files}.json`;
  const shown: string[] = [];
  const paths = { home: office.home, file: office.put(given), approval: office.put(approval), key: office.keyOf(by), to };
  const terminal = { show: (lines: readonly string[]) => void shown.push(...lines), ask: async () => typed };
  const lines = await sign({ ...paths, deny, credential }, terminal, now);
  return { shown: [...shown, ...lines].join('\n'), to };
}
const refused = (given: unknown, more: More = {}) => refusal(() => signing(given, held.file, more));

/** Sends the written file and the decision, as a client does. */
async function decide(to: string, approvalId: string, text: string, { client }: Person = office.approver) {
  const { status, body } = await client.send({ method: 'POST', path: '/auth/action', text: office.read(to) });
  expect(status).toBe(200);
  const { userAction } = body as { userAction: string };
  const headers = { 'x-svc-useraction': userAction };
  return client.send({ method: 'POST', path: `/v2/policy-approvals/${approvalId}/decisions`, text, headers });
}

test.each([
  ['approval', undefined, '{"value":"Approved"}', 'Approved'],
  ['denial', true, '{"value":"Denied"}', 'Denied'],
])('an %s that was signed offline is accepted by the service', async (_what, deny, body, status) => {
  const { approvalId, file } = await office.held();
  const { shown, to } = await signing(await office.announced(approvalId, body), file, deny === undefined ? {} : { deny });
  expect(shown).toContain('0.000000000000001 ETH');
  expect(shown).toContain(body);
  expect((await decide(to, approvalId, body)).body).toMatchObject({ status });
});

test.each(Object.keys(KEYS))('a key of the kind %s can sign', async (name) => {
  const by = people.get(name) ?? office.approver;
  const body = '{"value":"Approved"}';
  const { approvalId, file } = await office.held({ amount: '4000' });
  const { to } = await signing(await office.announced(approvalId, body, by), file, { by });
  expect((await decide(to, approvalId, body, by)).body).toMatchObject({ status: 'Approved' });
});

test('a challenge is refused if its request, body, approval, organisation or user is a different one', async () => {
  const { path, ...commitment } = challenge.commitment;
  expect(await refused({ ...challenge, commitment: { ...commitment, path: `${path}/x` } })).toContain('SOMETHING ELSE');
  expect(await refused(challenge, { deny: true })).toContain('is for another body');
  const other = await office.held({ amount: '2000' });
  expect(await refused(await office.announced(other.approvalId))).toContain('ANOTHER REQUEST');
  const login = (await office.approver.client.announce('POST', '/wallets', '{"value":"Approved"}')).body;
  expect(await refused(login)).toContain('ANOTHER REQUEST');
  const ofAdmin = await office.announced(held.approvalId, '{"value":"Approved"}', office.admin);
  expect(await refused(ofAdmin)).toContain(`not one that the charter names for ${office.admin.userId}`);
  const ofStranger = await office.announced(held.approvalId, '{"value":"Approved"}', office.stranger);
  expect(await refused(ofStranger)).toContain('ANOTHER ORGANISATION');
});

/** The challenge that the service derives from this commitment. */
function committing(commitment: Readonly<Record<string, unknown>>) {
  const nonce = Buffer.from(challenge.challenge, 'base64url').subarray(0, NONCE_BYTES);
  return { ...challenge, commitment, challenge: challengeWith(nonce, commitment as Parameters<typeof challengeWith>[1]) };
}

test('an anchored challenge is signed, and a challenge without an anchor is shown with a warning that the signer will not accept it', async () => {
  const anchored = committing({ ...challenge.commitment, v: 2, anchor: 'made-by-the-signer' });
  expect((await signing(anchored, held.file)).shown).not.toContain('will not count');
  expect((await signing(challenge, held.file)).shown).toContain('Anchor        NONE: the signer will not count');
  expect(await refused(committing({ ...challenge.commitment, v: 2 }))).toContain('does not hold the challenge');
  expect(await refused(committing({ ...challenge.commitment, anchor: 'x' }))).toContain('does not hold the challenge');
  expect(await refused(committing({ ...challenge.commitment, v: 3, anchor: 'x' }))).toContain('does not hold the challenge');
});

test('a challenge with the digest of different content is refused', async () => {
  const { file } = await office.held({ amount: '3000' });
  const other = { ...file, approvalId: held.approvalId };
  expect(await refusal(() => signing(challenge, other))).toContain('covers OTHER CONTENT');
});

test('a challenge is signed until it expires, and only if it is valid for at most eleven minutes', async () => {
  const expiresMs = Date.parse(String(challenge.commitment['expires']));
  expect(await refused(challenge, { now: new Date(expiresMs) })).toContain('expired');
  expect(await refused(challenge, { now: new Date(expiresMs - 11 * 60_000 - 1) })).toContain('far longer');
  const last = await signing(challenge, held.file, { now: new Date(expiresMs - 1) });
  expect(last.shown).toContain('SIGNED');
  expect((await signing(challenge, held.file, { now: new Date(expiresMs - 11 * 60_000) })).shown).toContain('SIGNED');
});

test('without the last characters of the recipient nothing is signed', async () => {
  const text = await refused(challenge, { typed: 'dc79C9' });
  expect(text).toContain('Nothing was signed');
  expect(() => office.read(`${office.folder}/signed-${files}.json`)).toThrow('ENOENT');
});

test('nothing is signed with a key outside the charter, an unknown credential or a file that is not a key', async () => {
  const newcomer = await office.api.createPerson(office.orgId);
  expect(await refused(challenge, { by: newcomer })).toContain('Your key is not one that the charter names');
  await expect(signing(challenge, held.file, { credential: 'other' })).rejects.toThrow(WrongUsage);
  await expect(signing('junk', held.file)).rejects.toThrow(NotVerified);
});
