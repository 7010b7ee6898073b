import { operations } from '../../../api/operations';
import { CHARTER_OPERATION_IDS } from '../../../domain/charters';
import { VERIFIER_ORIGIN } from '../../../platform/seen-assertions';
import { type Person, startApi, type TestApi } from '../../support/api';
import { seeCharter } from '../../support/charter-rows';
import { errorId, policyBody } from '../../support/policy-api';

let api: TestApi;
let orgId: string;
let person: Person;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());
beforeEach(async () => {
  orgId = await api.createOrganization();
  person = await api.createPerson(orgId);
});

const ORIGINS = ['https://approve.example'];
const SEEN = { origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) };
const demand = (wanted: readonly string[]) =>
  seeCharter(api.database.db, orgId, 1, { seen: { operations: wanted, origins: ORIGINS } });
const createPolicy = (by: Person, clientData: object = {}) =>
  by.client.change('POST', '/v2/policies', policyBody(), { ...clientData });
const policiesOf = async () => ((await person.client.get('/v2/policies')).body as { items: unknown[] }).items.length;

test('each operation that a charter can list is an operation of the interface', () => {
  const known = operations.map(({ id }) => id);
  expect(CHARTER_OPERATION_IDS.filter((id) => !known.includes(id))).toEqual([]);
});

test('403: the charter demands that people see what they sign, and the person signed blind; nothing is created', async () => {
  await demand(['createPolicy', 'transferAsset']);
  const refused = await createPolicy(person, { origin: 'https://approve.example' });
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { error: { id: 'UserActionNotSeen', details: { origins: ORIGINS } } },
  ]);
  expect(await policiesOf()).toBe(0);
  const transfer = await person.client.change('POST', '/wallets/wa-1/transfers', {});
  expect(errorId(transfer.body)).toBe('UserActionNotSeen');
});

test('200: a request that the person has seen, a request from a program, and a blind request that the charter allows', async () => {
  await demand(['createPolicy']);
  expect((await createPolicy(person, SEEN)).status).toBe(200);
  expect((await createPolicy(await api.createPerson(orgId, { isServiceAccount: true }))).status).toBe(200);
  await demand(['updatePolicy']);
  expect((await createPolicy(person)).status).toBe(200);
  expect(await policiesOf()).toBe(3);
});

test('200: a request that only restricts rights may be signed blind, whatever the charter demands', async () => {
  await demand(CHARTER_OPERATION_IDS);
  const { userId } = await api.createPerson(orgId);
  expect((await person.client.change('PUT', `/auth/users/${userId}/deactivate`, {})).status).toBe(200);
  expect((await person.client.change('DELETE', `/auth/users/${userId}`)).status).toBe(200);
});

test.each<[string, string, boolean]>([
  ['POST', '/v2/policies', true],
  ['POST', '/v2/policy-approvals/ap-1/decisions', true],
  ['POST', '/v2/policy-approvals/decisions', true],
  ['DELETE', '/auth/users/us-1', false],
  ['POST', '/keys', false],
])('200: the challenge for %s %s states whether the person must see the request: %s', async (method, path, isDemanded) => {
  await demand(CHARTER_OPERATION_IDS);
  const body = path.endsWith('/decisions') && !path.includes('ap-1') ? { decisions: [] } : {};
  const { status, body: challenge } = await person.client.announce(method, path, JSON.stringify(body));
  expect(status).toBe(200);
  expect((challenge as { seen?: object }).seen).toEqual(isDemanded ? { origins: ORIGINS } : undefined);
  const program = await api.createPerson(orgId, { isServiceAccount: true });
  expect((await program.client.announce(method, path, JSON.stringify(body))).body).not.toHaveProperty('seen');
});

test('200: without a charter, people do not have to see any request', async () => {
  expect((await person.client.announce('POST', '/v2/policies', '')).body).not.toHaveProperty('seen');
});
