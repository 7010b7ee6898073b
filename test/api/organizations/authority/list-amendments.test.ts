import { createActor } from '../../../support/actor';
import { startApi, type TestApi } from '../../../support/api';
import { addAmendment } from '../../../support/charter-rows';
import type { Client } from '../../../support/client';
import { noteAnswer } from '../../../support/examples';

const PATH = '/organizations/authority/amendments';

let api: TestApi;
let client: Client;
const ids: string[] = [];
beforeAll(async () => {
  api = await startApi();
  const orgId = await api.createOrganization();
  ({ client } = await api.createPerson(orgId));
  const { action } = await (await createActor(api.database.db, orgId)).authority();
  for (const kind of ['createWallet', 'tagWallet', 'archiveUser'] as const)
    ids.push(await addAmendment(api.database.db, orgId, action?.id ?? '', kind));
  await api.database.arrange(
    `UPDATE amendments SET status = 'InForce', sequence = 2, digest = 'ab', date_ended = clock_timestamp() WHERE id = $1`,
    [ids[0] ?? ''],
  );
});
afterAll(() => api?.close());

type Page = { readonly items: readonly { readonly id: string }[]; readonly nextPageToken?: string };
const list = async (query = ''): Promise<Page> => (await client.get(`${PATH}${query}`)).body;
const placesOf = ({ items }: Page) => items.map(({ id }) => ids.indexOf(id));

test('200: the newest first, page by page', async () => {
  const answer = await client.get(PATH);
  noteAnswer('listAmendments', undefined, answer);
  const all: Page = answer.body;
  expect(placesOf(all)).toEqual([2, 1, 0]);
  expect(all.items[2]).toMatchObject({ kind: 'createWallet', status: 'InForce', charter: { sequence: 2, digest: 'ab' } });
  const first = await list('?limit=2');
  expect(placesOf(first)).toEqual([2, 1]);
  const second = await list(`?limit=2&paginationToken=${first.nextPageToken}`);
  expect([placesOf(second), second.nextPageToken]).toEqual([[0], undefined]);
});

test('200: only the amendments in one status', async () => {
  expect(placesOf(await list('?status=Waiting'))).toEqual([2, 1]);
  expect(placesOf(await list('?status=InForce'))).toEqual([0]);
  expect(placesOf(await list('?status=Refused'))).toEqual([]);
});

test.each(['status=Done', 'limit=0', 'paginationToken=x'])('400: %s is refused', async (query) => {
  expect((await client.get(`${PATH}?${query}`)).status).toBe(400);
});
