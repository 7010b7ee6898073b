import { EventEntity } from '../../../../entities/events/event.entity';
import { newId } from '../../../../platform/ids';
import { faultAt, refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../../support/wallet-api';

let wallets: WalletApi;
beforeAll(async () => {
  wallets = await startWalletApi();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const remove = (id: string, body: unknown, by = wallets.admin) => by.client.change('DELETE', `/wallets/${id}/tags`, body);
const tagsOf = async (id: string) => ((await wallets.admin.client.get(`/wallets/${id}`)).body as { tags: string[] }).tags;

type PolicyMembers = Readonly<Record<string, unknown>>;
const addPolicy = async (members: PolicyMembers): Promise<string> => {
  const policy = { name: 'Policy', rule: { kind: 'AlwaysTrigger' }, action: { kind: 'Block' }, ...members };
  const answer = await wallets.admin.client.change('POST', '/v2/policies', policy);
  expect(answer.status).toBe(200);
  return (answer.body as { readonly id: string }).id;
};

test('200: the tags are removed, and removing an absent tag is not an error', async () => {
  const { id } = await wallets.createWallet({ tags: ['a', 'b', 'c'] });
  expect(await remove(id, { tags: ['b', 'never'] })).toMatchObject({ status: 200, body: {} });
  expect(await remove(id, { tags: ['b'] })).toMatchObject({ status: 200, body: {} });
  expect(await remove(id, { tags: [] })).toMatchObject({ status: 200, body: {} });
  expect(await tagsOf(id)).toEqual(['a', 'c']);
  const filter = `WHERE t.aggregate_id = $1 AND t.kind = 'wallet.tags.modified'`;
  const events = await wallets.api.database.db.read(wallets.orgId).rows(EventEntity, filter, [id]);
  expect(events.map(({ data }) => [data['tagsAdded'], data['tagsRemoved']])).toEqual([[[], ['b']]]);
});

test.each([
  ['body.tags', {}],
  ['body.tags.0', { tags: ['a b'] }],
  ['body.tags', { tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }],
])('400: the error reports %s for %j', async (path, body) => {
  const { id } = await wallets.createWallet();
  expect(await remove(id, body)).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
});

test('404: the wallet is unknown or belongs to another organisation, and its tags stay', async () => {
  const { id } = await wallets.createWallet({ tags: ['a'] });
  expect(await remove(newId('wallet'), { tags: ['a'] })).toMatchObject(refusal(404, 'NotFound'));
  expect(await remove(id, { tags: ['a'] }, wallets.stranger)).toMatchObject(refusal(404, 'NotFound'));
  expect(await tagsOf(id)).toEqual(['a']);
});

test('403: without Wallets:Tags:Delete, and for end users', async () => {
  const { id } = await wallets.createWallet({ tags: ['a'] });
  const person = await wallets.api.createPerson(wallets.orgId, { operations: ['Wallets:Tags:Add'] });
  const endUser = await wallets.api.createPerson(wallets.orgId, { kind: 'EndUser' });
  expect(await remove(id, { tags: ['a'] }, person)).toMatchObject(refusal(403, 'Forbidden'));
  expect(await remove(id, { tags: ['a'] }, endUser)).toMatchObject(refusal(403, 'Forbidden'));
});

test('403: the tag is in the filter of a policy whose changes need approval; any other tag can be removed (S3)', async () => {
  const { id } = await wallets.createWallet({ tags: ['cold', 'vault', 'plain'] });
  const looking = await addPolicy({ activityKind: 'Wallets:Sign', filters: { walletTags: { hasAny: ['cold', 'vault'] } } });
  expect(await remove(id, { tags: ['cold'] })).toMatchObject({ status: 200 });
  const asking = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] };
  await addPolicy({ activityKind: 'Policies:Modify', filters: { policyId: { in: [looking] } }, action: asking });
  expect(await remove(id, { tags: ['vault'] })).toMatchObject(refusal(403, 'PolicyBlocked', { policyId: looking }));
  expect(await tagsOf(id)).toEqual(['plain', 'vault']);
  expect(await remove(id, { tags: ['plain'] })).toMatchObject({ status: 200 });
});
