import { generateKeyPairSync } from 'node:crypto';
import { CHAINS } from '../../../../application/hash-chains/chains';
import { numberAll } from '../../../../application/hash-chains/number-pending';
import { auditEntryStore } from '../../../../entities/audit-logs/audit-entry.store';
import { sha256Hex } from '../../../../platform/digests';
import { type AuditItem, CHAIN_START, chainCursor, followAudit } from '../../../../platform/hash-chain';
import { type Person, startApi, type TestApi } from '../../../support/api';
import { Client } from '../../../support/client';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

type Page = {
  readonly items: readonly AuditItem[];
  readonly nextCursor: string;
  readonly head: { readonly sequence: number; readonly hash: string };
};
const PATH = '/audit-log';
const admin = async () => api.createPerson(await api.createOrganization());
const number = ({ orgId }: Person) => numberAll(api.database.db, CHAINS.audit, orgId);
const read = async (person: Person, query = '') => {
  const answer = await person.client.get(`${PATH}${query}`);
  return { ...answer, body: answer.body as Page };
};
const policy = (name: string) => ({
  name,
  activityKind: 'Wallets:Sign',
  rule: { kind: 'AlwaysTrigger' },
  action: { kind: 'Block' },
});
const text = JSON.stringify(policy('one'));
const send = (person: Person, userAction: string, sent = text) =>
  person.client.send({ method: 'POST', path: '/v2/policies', text: sent, headers: { 'x-svc-useraction': userAction } });
const entriesOf = async (person: Person) => {
  await number(person);
  return (await read(person)).body.items.map(({ entry }) => entry);
};

async function withEntries(count: number) {
  const person = await admin();
  for (let n = 0; n < count; n += 1)
    await api.database.db.withOrg(person.orgId, (tx) => auditEntryStore.command(tx, 'org:service-account-votes', { on: true }));
  await number(person);
  return person;
}

test('200: a signed change has one entry with its author and the digest of its body', async () => {
  const person = await admin();
  const userAction = await person.client.userAction('POST', '/v2/policies', text);
  expect((await send(person, userAction)).status).toBe(200);
  const [entry, ...others] = await entriesOf(person);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    id: expect.stringMatching(/^ua-/),
    kind: 'UserAction',
    data: {
      ...{ userId: person.userId, tokenId: person.tokenId, method: 'POST', path: '/v2/policies', bodySha256: sha256Hex(text) },
      ...{ credentialUuid: person.credentialUuid, credentialKind: 'Key' },
    },
  });
  expect(JSON.stringify(entry)).not.toContain('"one"');
});

test('200: a replay, a changed body, and a request without permission are recorded as refusals', async () => {
  const person = await admin();
  const userAction = await person.client.userAction('POST', '/v2/policies', text);
  expect((await send(person, userAction)).status).toBe(200);
  expect((await send(person, userAction)).status).toBe(400);
  const other = await person.client.userAction('POST', '/v2/policies', text);
  expect((await send(person, other, JSON.stringify(policy('two')))).status).toBe(403);
  const reader = await api.createPerson(person.orgId, { operations: ['Policies:Read'] });
  expect((await reader.client.change('POST', '/v2/policies', policy('three'))).status).toBe(403);
  const id = expect.stringMatching(/^ua-/);
  expect((await entriesOf(person)).slice(1)).toMatchObject([
    { kind: 'Refusal', data: { code: 'UserActionUsed', userId: person.userId, bodySha256: sha256Hex(text), userActionId: id } },
    {
      kind: 'Refusal',
      data: { code: 'UserActionInvalid', bodySha256: sha256Hex(JSON.stringify(policy('two'))), userActionId: id },
    },
    { kind: 'Refusal', data: { code: 'Forbidden', userId: reader.userId, bodySha256: null, userActionId: id } },
  ]);
});

test('200: a wrong signature is recorded without a body digest, and a garbled token is recorded without an action', async () => {
  const person = await admin();
  const { challenge, challengeIdentifier } = (await person.client.announce('POST', '/v2/policies', text)).body as never as Record<
    string,
    string
  >;
  const thief = new Client(api.url, { ...person, privateKey: generateKeyPairSync('ed25519').privateKey });
  const signed = await person.client.post('/auth/action', { challengeIdentifier, firstFactor: thief.factor(challenge ?? '') });
  expect(signed.status).toBe(401);
  expect((await send(person, 'garbled')).status).toBe(403);
  expect(await entriesOf(person)).toMatchObject([
    {
      kind: 'Refusal',
      data: { code: 'Unauthorized', method: 'POST', path: '/auth/action', bodySha256: null, userActionId: null },
    },
    { kind: 'Refusal', data: { code: 'UserActionInvalid', path: '/v2/policies', userActionId: null } },
  ]);
});

test('200: of 10 parallel requests with one action, one is carried out and nine are refused', async () => {
  const person = await admin();
  const userAction = await person.client.userAction('POST', '/v2/policies', text);
  await Promise.all(Array.from({ length: 10 }, () => send(person, userAction)));
  const kinds = (await entriesOf(person)).map(({ kind }) => kind).sort();
  expect(kinds).toEqual([...Array<string>(9).fill('Refusal'), 'UserAction']);
});

test('200: a request without a user action and a request with an invalid field are not recorded', async () => {
  const person = await admin();
  expect((await person.client.post('/v2/policies', policy('one'))).status).toBe(403);
  expect((await person.client.change('POST', '/v2/policies', { name: 1 })).status).toBe(400);
  expect(await entriesOf(person)).toEqual([]);
});

test('200: read page by page, the hash chain verifies up to its head', async () => {
  const person = await withEntries(7);
  const items: AuditItem[] = [];
  let page = (await read(person, '?limit=3')).body;
  while (page.items.length > 0) {
    items.push(...page.items);
    page = (await read(person, `?limit=3&after=${page.nextCursor}`)).body;
  }
  expect(items).toHaveLength(7);
  expect(page.head).toMatchObject(followAudit(person.orgId, CHAIN_START, items));
});

test('200: an entry that has no place in the hash chain yet is not shown, and an empty log has the head 0', async () => {
  const person = await admin();
  await api.database.db.withOrg(person.orgId, (tx) => auditEntryStore.command(tx, 'org:service-account-votes', { on: true }));
  expect((await read(person)).body).toEqual({ items: [], nextCursor: chainCursor(CHAIN_START), head: CHAIN_START });
});

test.each(['after=1', 'after=', 'limit=0', 'limit=501', 'before=1'])('400: %s is refused', async (query) => {
  const { status, body } = await (await admin()).client.get(`${PATH}?${query}`);
  const id = query.startsWith('after') ? 'InvalidCursor' : 'InvalidRequest';
  expect([status, body]).toMatchObject([400, { error: { id } }]);
});

test('409: an altered cursor, and the cursor of another organisation', async () => {
  const [person, stranger] = [await withEntries(2), await withEntries(2)];
  const cursor = chainCursor((await read(person)).body.head);
  for (const [reader, after] of [
    [person, cursor.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
    [stranger, cursor],
  ] as const)
    expect(await read(reader, `?after=${after}`)).toMatchObject({
      status: 409,
      body: { error: { id: 'CursorOfAnotherAuditLog', details: { sequence: 2 } } },
    });
});

test('404: a cursor beyond the head', async () => {
  const person = await withEntries(2);
  const { head } = (await read(person)).body;
  expect(await read(person, `?after=${chainCursor({ ...head, sequence: 3 })}`)).toMatchObject({
    status: 404,
    body: { error: { id: 'CursorBeyondAuditLog', details: { sequence: 2 } } },
  });
});

test('403: without Auth:Logs:Read', async () => {
  const person = await withEntries(1);
  expect((await read(await api.createPerson(person.orgId, { operations: ['Events:Read'] }))).status).toBe(403);
  const auditor = await api.createPerson(person.orgId, { operations: ['Auth:Logs:Read'] });
  expect((await read(auditor)).body.items).toHaveLength(1);
});
