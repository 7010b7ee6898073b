import { OutboxRowEntity } from '../../../entities/outbox/outbox-row.entity';
import { travelRuleStore } from '../../../entities/travel-rules/travel-rule.store';
import { newId } from '../../../platform/ids';
import { snapshotOf } from '../../matrix/snapshot';
import { noteAnswer } from '../../support/examples';
import { startTransferApi, type TransferApi } from '../../support/transfer-api';
import { CUSTODIAL, signedHeaders, WEBHOOK_SECRET } from '../../support/travel-rule';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let transfers: TransferApi;
beforeAll(async () => {
  transfers = await startTransferApi({ own: 'it compares every table before and after' });
  const credentials = { apiKey: 'key-of-the-vendor', webhookSecret: WEBHOOK_SECRET };
  expect((await transfers.admin.client.change('PUT', '/integrations/TravelRule', credentials)).status).toBe(200);
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

const db = () => transfers.api.database.db;
const pathOf = (orgId = transfers.orgId) => `/integrations/travel-rule/callbacks/${orgId}`;

/** Creates a travel rule message for a transfer. The message waits for the counterparty. */
async function message(): Promise<{ readonly id: string; readonly transferId: string }> {
  const { id: transferId } = await transfers.request({ travelRule: CUSTODIAL });
  const row = await db().withOrg(transfers.orgId, async (tx) => {
    const made = await travelRuleStore.request(tx, transferId, { trigger: 3_600, clear: 60 });
    return travelRuleStore.move(tx, made, 'Submitted');
  });
  return { id: row.id, transferId };
}

type Headers = Readonly<Record<string, string>>;

async function call(body: object | string, headers: (text: string) => Headers = signedHeaders, path = pathOf()) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const sent = { 'content-type': 'application/json', ...headers(text) };
  const response = await fetch(`${transfers.api.url}${path}`, { method: 'POST', body: text, headers: sent });
  return { status: response.status, body: (await response.json()) as unknown };
}

const stateOf = async (id: string) => (await travelRuleStore.find(db().read(transfers.orgId), id))?.state;
const signalsTo = async (transferId: string) => {
  const tail = `WHERE t.aggregate_id = $1 AND t.kind = 'signal'`;
  return (await db().read(transfers.orgId).rows(OutboxRowEntity, tail, [transferId])).map(({ routing }) => routing['signal']);
};

test('200: a callback updates the message and wakes its transfer, and an outdated callback changes nothing', async () => {
  const { id: reference, transferId } = await message();
  const delivered = { id: 'cb-1', reference, status: 'Delivered' };
  const heard = await call(delivered);
  expect(heard).toEqual({ status: 200, body: { changed: true } });
  noteAnswer('receiveTravelRuleCallback', delivered, heard, { orgId: transfers.orgId });
  expect(await stateOf(reference)).toBe('Delivered');
  expect(await call({ id: 'cb-2', reference, status: 'Submitted' })).toEqual({ status: 200, body: { changed: false } });
  expect(await call({ id: 'cb-3', reference, status: 'Accepted' })).toEqual({ status: 200, body: { changed: true } });
  expect(await signalsTo(transferId)).toEqual(['travelRuleChanged', 'travelRuleChanged']);
});

test('200: a callback for a message that has ended changes nothing and does not wake the transfer', async () => {
  const { id: reference, transferId } = await message();
  expect(await call({ id: 'late-1', reference, status: 'Declined' })).toMatchObject({ body: { changed: true } });
  expect(await call({ id: 'late-2', reference, status: 'Accepted' })).toEqual({ status: 200, body: { changed: false } });
  expect(await stateOf(reference)).toBe('Declined');
  expect(await signalsTo(transferId)).toHaveLength(1);
});

test('200: a callback after the time limit has no effect, even if the message is still open', async () => {
  const { id: reference } = await message();
  const overdue = `UPDATE travel_rule_messages SET date_triggers = clock_timestamp() - interval '1 second' WHERE org_id = $1 AND id = $2`;
  await db().withOrg(transfers.orgId, (tx) => tx.query(overdue, [tx.orgId, reference]));
  expect((await call({ id: 'overdue', reference, status: 'Accepted' })).status).toBe(200);
  expect(await stateOf(reference)).toBe('TimedOut');
});

test('409: the callback was received before, even if its status was different', async () => {
  const { id: reference } = await message();
  const body = { id: 'once', reference, status: 'Delivered' };
  expect((await call(body)).status).toBe(200);
  expect(await call(body)).toMatchObject(refusal(409, 'Conflict', { callbackId: 'once' }));
  expect(await call({ ...body, status: 'Accepted' })).toMatchObject(refusal(409, 'Conflict'));
  expect(await stateOf(reference)).toBe('Delivered');
});

test('409: one callback is delivered twenty times at once, and exactly one delivery is accepted', async () => {
  const { id: reference, transferId } = await message();
  const body = { id: 'at-once', reference, status: 'Accepted' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  expect(await signalsTo(transferId)).toHaveLength(1);
});

/** The content of all tables except the leases, which the relay can renew at any time. */
const stored = async () => {
  const { outbox_leases: _renewed, ...tables } = await snapshotOf(transfers.api.database.name);
  return tables;
};

const SIGNATURE = 'x-travel-rule-signature';
const TIME = 'x-travel-rule-timestamp';
const FIVE_MINUTES_MS = 300_000;
const without = (name: string) => (text: string) =>
  Object.fromEntries(Object.entries(signedHeaders(text)).filter(([header]) => header !== name));
const changed = (name: string, change: (value: string) => string) => (text: string) => {
  const headers = signedHeaders(text);
  return { ...headers, [name]: change(headers[name] ?? '') };
};

test.each<[string, (text: string) => Headers]>([
  ['a wrong secret', (text) => signedHeaders(text, { secret: 'another-secret' })],
  ['a signature over a different body', (text) => signedHeaders(`${text} `)],
  ['no signature', without(SIGNATURE)],
  ['no time stamp', without(TIME)],
  ['a signature that is not hexadecimal', changed(SIGNATURE, () => 'x'.repeat(64))],
  ['a signature that is cut off', changed(SIGNATURE, (value) => value.slice(0, 62))],
  ['a time that was not signed', changed(TIME, (value) => String(Number(value) - 7))],
  ['a time that is not a number', changed(TIME, () => '1e9')],
  ['a time more than five minutes in the past', (text) => signedHeaders(text, { atMs: Date.now() - FIVE_MINUTES_MS - 2_000 })],
  ['a time more than five minutes in the future', (text) => signedHeaders(text, { atMs: Date.now() + FIVE_MINUTES_MS + 2_000 })],
])('401: %s, and nothing is stored', async (_title, headers) => {
  const { id: reference } = await message();
  const before = await stored();
  const answer = await call({ id: newId('event'), reference, status: 'Accepted' }, headers);
  expect(answer).toMatchObject(refusal(401, 'Unauthorized'));
  expect(await stored()).toEqual(before);
});

test('401: an unknown organisation, a malformed id and an organisation without the vendor get the answer for a wrong signature', async () => {
  const { id: reference } = await message();
  const body = { id: 'elsewhere', reference, status: 'Accepted' };
  const wrong = await call(body, (text) => signedHeaders(text, { secret: 'another-secret' }));
  for (const orgId of [newId('organization'), 'nobody', transfers.stranger.orgId]) {
    expect(await call(body, undefined, pathOf(orgId))).toEqual(wrong);
  }
  expect(await stateOf(reference)).toBe('Submitted');
});

test('404: a message that is unknown or belongs to another organisation', async () => {
  const { id: reference } = await message();
  const before = await stored();
  const unknown = { id: 'nobody', reference: newId('travelRuleMessage'), status: 'Accepted' };
  expect(await call(unknown)).toMatchObject(refusal(404, 'NotFound'));
  expect(await stored()).toEqual(before);
  const credentials = { apiKey: 'key-of-the-other', webhookSecret: 'secret-of-the-other' };
  expect((await transfers.stranger.client.change('PUT', '/integrations/TravelRule', credentials)).status).toBe(200);
  const signed = (text: string) => signedHeaders(text, { secret: 'secret-of-the-other' });
  const foreign = { id: 'foreign', reference, status: 'Accepted' };
  expect(await call(foreign, signed, pathOf(transfers.stranger.orgId))).toMatchObject(refusal(404, 'NotFound'));
  expect(await stateOf(reference)).toBe('Submitted');
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['an unknown status', { status: 'Approved' }, 'body.status'],
  ['a final status that only the service sets', { status: 'TimedOut' }, 'body.status'],
  ['no reference', { reference: undefined }, 'body.reference'],
  ['an id with a space', { id: 'a b' }, 'body.id'],
  ['an id of 65 characters', { id: 'x'.repeat(65) }, 'body.id'],
  ['an unknown member', { orgId: 'or-1' }, 'body.orgId'],
])('400: %s', async (_title, wrong, path) => {
  const { id: reference } = await message();
  const answer = await call({ id: 'bad', reference, status: 'Accepted', ...wrong });
  expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
  expect(await stateOf(reference)).toBe('Submitted');
});

test('400: a body that is not JSON; 413: a body that is too large', async () => {
  expect((await call('{"id":')).status).toBe(400);
  expect((await call(JSON.stringify({ id: 'x'.repeat(1_100_000) }))).status).toBe(413);
});
