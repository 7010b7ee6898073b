import { startApi, type TestApi } from '../../../support/api';
import { seeCharter } from '../../../support/charter-rows';
import type { Client } from '../../../support/client';
import { noteAnswer } from '../../../support/examples';

const PATH = '/organizations/authority/history';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  const orgId = await api.createOrganization();
  ({ client } = await api.createPerson(orgId));
  for (const sequence of [1, 9, 10]) await seeCharter(api.database.db, orgId, sequence);
});
afterAll(() => api?.close());

type Page = { readonly items: readonly { readonly sequence: number }[]; readonly nextPageToken?: string };
const list = async (query = ''): Promise<Page> => (await client.get(`${PATH}${query}`)).body;
const sequencesOf = ({ items }: Page) => items.map(({ sequence }) => sequence);

test('200: the newest first, page by page', async () => {
  const answer = await client.get(PATH);
  noteAnswer('listCharterHeads', undefined, answer);
  const all: Page = answer.body;
  expect(sequencesOf(all)).toEqual([10, 9, 1]);
  const first = await list('?limit=2');
  expect(sequencesOf(first)).toEqual([10, 9]);
  const second = await list(`?limit=2&paginationToken=${first.nextPageToken}`);
  expect([sequencesOf(second), second.nextPageToken]).toEqual([[1], undefined]);
});

test.each(['limit=0', 'paginationToken=x', 'status=Waiting'])('400: %s is refused', async (query) => {
  expect((await client.get(`${PATH}?${query}`)).status).toBe(400);
});
