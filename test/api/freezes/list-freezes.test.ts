import { type FreezeApi, type FreezeBody, startFreezeApi } from '../../support/freeze-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../support/wallet-api';

let freezes: FreezeApi;
const ids: string[] = [];
beforeAll(async () => {
  freezes = await startFreezeApi();
  const { wallet } = freezes;
  const released = await freezes.freeze();
  await freezes.release(released.id);
  ids.push(released.id);
  for (const target of [{ kind: 'Wallet', id: wallet.id }, { kind: 'Key', id: wallet.signingKey.id }, { kind: 'Organization' }]) {
    ids.push((await freezes.freeze(target)).id);
  }
}, START_LIMIT_MS);
afterAll(() => freezes?.close());

type Page = { readonly items: readonly FreezeBody[]; readonly nextPageToken?: string };
const list = async (query = '', by = freezes.admin) => (await by.client.get(`/freezes${query}`)).body as Page;
const idsOf = ({ items }: Page) => items.map(({ id }) => ids.indexOf(id));

test('200: the newest first, page by page', async () => {
  expect(idsOf(await list())).toEqual([3, 2, 1, 0]);
  const first = await list('?limit=3');
  expect(idsOf(first)).toEqual([3, 2, 1]);
  const second = await list(`?limit=3&paginationToken=${first.nextPageToken}`);
  expect([idsOf(second), second.nextPageToken]).toEqual([[0], undefined]);
});

test('200: only the active freezes, and only the freezes of one target', async () => {
  expect(idsOf(await list('?status=Active'))).toEqual([3, 2, 1]);
  expect(idsOf(await list('?status=Released'))).toEqual([0]);
  expect(idsOf(await list('?targetKind=Wallet'))).toEqual([1, 0]);
  expect(idsOf(await list(`?targetId=${freezes.wallet.id}&status=Active`))).toEqual([1]);
  expect((await list('', freezes.stranger)).items).toEqual([]);
});

test.each(['status=Thawed', 'targetKind=Planet', 'limit=0', 'paginationToken=x'])('400: %s is refused', async (query) => {
  const answer = await freezes.admin.client.get(`/freezes?${query}`);
  const [name] = query.split('=');
  const id = name === 'paginationToken' ? 'InvalidPaginationToken' : 'InvalidRequest';
  expect(answer).toMatchObject(refusal(400, id, faultAt(`query.${name}`)));
});

test('403: without Freezes:Read', async () => {
  const other = await freezes.api.createPerson(freezes.orgId, { operations: ['Freezes:Create'] });
  expect((await other.client.get('/freezes')).status).toBe(403);
});
