import { EventEntity } from '../../../../entities/events/event.entity';
import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const put = (id: string, body: unknown, by = wallets.admin) => by.client.change('PUT', `/wallets/${id}/tags`, body);
const tagsOf = async (id: string) => ((await wallets.admin.client.get(`/wallets/${id}`)).body as { tags: string[] }).tags;

type PolicyMembers = Readonly<Record<string, unknown>>;
const addPolicy = async (members: PolicyMembers): Promise<string> => {
  const policy = { name: 'Policy', rule: { kind: 'AlwaysTrigger' }, action: { kind: 'Block' }, ...members };
  const answer = await wallets.admin.client.change('POST', '/v2/policies', policy);
  expect(answer.status).toBe(200);
  return (answer.body as { readonly id: string }).id;
};

test('200: a tag is added only once, and the event lists the new tags', async () => {
  const { id } = await wallets.createWallet({ tags: ['a'] });
  expect(await put(id, { tags: ['b', 'a'] })).toMatchObject({ status: 200, body: {} });
  expect(await put(id, { tags: ['b'] })).toMatchObject({ status: 200, body: {} });
  expect(await tagsOf(id)).toEqual(['a', 'b']);
  const filter = `WHERE t.aggregate_id = $1 AND t.kind = 'wallet.tags.modified'`;
  const events = await wallets.api.database.db.read(wallets.orgId).rows(EventEntity, filter, [id]);
  expect(events.map(({ data }) => [data['tagsAdded'], data['tagsRemoved']])).toEqual([[['b'], []]]);
});

test('400: the wallet would get an eleventh tag; its ten tags stay', async () => {
  const { id } = await wallets.createWallet({ tags: Array.from({ length: 9 }, (_, index) => `t${index}`) });
  expect(await put(id, { tags: ['x', 'y'] })).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.tags')));
  expect(await put(id, { tags: ['x'] })).toMatchObject({ status: 200 });
  expect(await tagsOf(id)).toHaveLength(10);
});

test.each([
  ['body.tags', {}],
  ['body.tags', { tags: [] }],
  ['body.tags.0', { tags: [''] }],
  ['body.tags.1', { tags: ['a', 'é'] }],
  ['body.more', { tags: ['a'], more: 1 }],
])('400: the error reports %s for %j', async (path, body) => {
  const { id } = await wallets.createWallet();
  expect(await put(id, body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  const { id } = await wallets.createWallet();
  expect(await put(newId('wallet'), { tags: ['a'] })).toMatchObject(refusal(404, 'NotFound'));
  expect(await put(id, { tags: ['a'] }, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Tags:Add, and for end users', async () => {
  const { id } = await wallets.createWallet();
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Tags:Delete'] });
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  expect(await put(id, { tags: ['a'] }, person)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await put(id, { tags: ['a'] }, endUser)).toMatchObject(refusal(403, 'Forbidden'));
});

test('403: the tag is in the filter of a policy whose changes need approval; any other tag can be added (S3)', async () => {
  const { id } = await wallets.createWallet();
  const looking = await addPolicy({ activityKind: 'Wallets:Sign', filters: { walletTags: { hasAll: ['trusted', 'audited'] } } });
  await addPolicy({ activityKind: 'Wallets:Sign', filters: { walletTags: { hasAny: ['elsewhere'] } } });
  expect(await put(id, { tags: ['audited'] })).toMatchObject({ status: 200 });
  const asking = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] };
  await addPolicy({ activityKind: 'Policies:Modify', filters: { policyId: { in: [looking] } }, action: asking });
  expect(await put(id, { tags: ['plain', 'trusted'] })).toMatchObject(refusal(403, 'PolicyBlocked', { policyId: looking }));
  expect(await tagsOf(id)).toEqual(['audited']);
  expect(await put(id, { tags: ['plain', 'elsewhere'] })).toMatchObject({ status: 200 });
});
