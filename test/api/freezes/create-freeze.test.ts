import { EventEntity } from '../../../entities/events/event.entity';
import { FreezeEntity } from '../../../entities/freezes/freeze.entity';
import { OrganizationEntity } from '../../../entities/organizations/organization.entity';
import { newId } from '../../../platform/ids';
import { type FreezeApi, type FreezeBody, startFreezeApi } from '../../support/freeze-api';
import { waitUntil } from '../../support/wait-until';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let freezes: FreezeApi;
beforeAll(async () => {
  freezes = await startFreezeApi();
}, START_LIMIT_MS);
afterAll(() => freezes?.close());

const reader = () => freezes.api.database.db.read(freezes.orgId);
const epoch = async () => (await reader().row(OrganizationEntity, 'WHERE t.id = $1', [freezes.orgId]))?.policyEpoch ?? 0;
const count = async () => (await reader().rows(FreezeEntity, '')).length;

test('200: the freeze is active at once and raises the policy epoch, and the signer is notified', async () => {
  const before = await epoch();
  const { status, body } = await freezes.ask();
  expect(status).toBe(200);
  const { id } = body as FreezeBody;
  expect(body).toEqual({
    id: expect.stringMatching(/^frz-/),
    target: { kind: 'Wallet', id: freezes.wallet.id },
    reason: 'It looks wrong',
    status: 'Active',
    requester: { userId: freezes.admin.userId },
    dateCreated: expect.any(String),
  });
  expect(await epoch()).toBe(before + 1);
  const events = await reader().rows(EventEntity, 'WHERE t.aggregate_id = $1', [id]);
  expect(events).toMatchObject([{ kind: 'freeze.created', data: { freeze: { id, status: 'Active' } } }]);
  const shown = await waitUntil('the signer to be notified', async () => {
    const { body: now } = await freezes.admin.client.get(`/freezes/${id}`);
    return (now as FreezeBody).dateSignerTold !== undefined && now;
  });
  expect(shown).toMatchObject({ id, status: 'Active' });
});

test('200: a second freeze of a target returns the active freeze, even to simultaneous callers', async () => {
  const target = { kind: 'Network', id: 'EthereumSepolia' };
  const before = await count();
  const answers = await Promise.all([freezes.ask(target), freezes.ask(target), freezes.ask(target, freezes.approver)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => (body as FreezeBody).id)).size).toBe(1);
  expect(await count()).toBe(before + 1);
});

test('200: a freeze of the organisation does not need an id, and accepts only the organisation’s own id', async () => {
  const first = await freezes.freeze({ kind: 'Organization' });
  expect(first.target).toEqual({ kind: 'Organization', id: freezes.orgId });
  expect((await freezes.freeze({ kind: 'Organization', id: freezes.orgId })).id).toBe(first.id);
});

test.each<[string, object, string?]>([
  ['body.target.id', { kind: 'Wallet', id: newId('wallet') }],
  ['body.target.id', { kind: 'Wallet', id: 'not an id' }],
  ['body.target.id', { kind: 'Wallet' }],
  ['body.target.id', { kind: 'Key', id: newId('key') }],
  ['body.target.id', { kind: 'Network', id: 'Nowhere' }],
  ['body.target.id', { kind: 'Network', id: 'Algorand' }, 'NetworkNotEnabled'],
  ['body.target.id', { kind: 'Organization', id: newId('organization') }],
  ['body.target.kind', { kind: 'Everything' }],
])('400: the error reports %s for %j, and nothing is stored', async (path, target, code = 'InvalidRequest') => {
  const before = await count();
  expect(await freezes.ask(target)).toMatchObject(refusal(400, code, faultAt(path)));
  expect(await count()).toBe(before);
});

test('400: a wallet of another organisation, and a freeze without a reason', async () => {
  const theirs = await freezes.ask(undefined, freezes.stranger);
  expect(theirs).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.target.id')));
  const silent = await freezes.admin.client.change('POST', '/freezes', { target: { kind: 'Organization' }, reason: '' });
  expect(silent).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.reason')));
});

test('403: without Freezes:Create', async () => {
  const other = await freezes.api.createPerson(freezes.orgId, { operations: ['Freezes:Release', 'Freezes:Read'] });
  expect((await freezes.ask(undefined, other)).status).toBe(403);
});
