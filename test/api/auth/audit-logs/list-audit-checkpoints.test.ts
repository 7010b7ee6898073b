import { tokenAfter } from '../../../../api/http/pagination';
import { CHAINS } from '../../../../application/hash-chains/chains';
import { numberAll } from '../../../../application/hash-chains/number-pending';
import { auditEntryStore } from '../../../../entities/audit-logs/audit-entry.store';
import { startApi, type TestApi } from '../../../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

type Page = { readonly items: readonly { readonly sequence: number }[]; readonly nextPageToken?: string };
const PATH = '/audit-log/checkpoints';
const admin = async () => api.createPerson(await api.createOrganization());

async function withCheckpoints() {
  const person = await admin();
  const { db } = api.database;
  await db.withOrg(person.orgId, (tx) => auditEntryStore.command(tx, 'org:service-account-votes', { on: true }));
  await numberAll(db, CHAINS.audit, person.orgId);
  for (const sequence of [1, 9, 10]) {
    const checkpoint = { sequence, statement: `statement ${sequence}`, signature: `signature ${sequence}` };
    await db.withOrg(person.orgId, (tx) => CHAINS.audit.store.addCheckpoint(tx, checkpoint));
  }
  return person;
}

test('200: the checkpoints, newest first, each on exactly one page, and the audit log shows the newest checkpoint', async () => {
  const { client } = await withCheckpoints();
  const page = (await client.get(`${PATH}?limit=2`)).body as Page;
  expect(page.items).toEqual([
    { sequence: 10, statement: 'statement 10', signature: 'signature 10' },
    { sequence: 9, statement: 'statement 9', signature: 'signature 9' },
  ]);
  const next = (await client.get(`${PATH}?limit=2&paginationToken=${page.nextPageToken}`)).body as Page;
  expect([next.items.map(({ sequence }) => sequence), next.nextPageToken]).toEqual([[1], undefined]);
  expect((await client.get('/audit-log')).body).toMatchObject({ head: { checkpoint: page.items[0] } });
  expect((await client.get('/events/checkpoints')).body).toEqual({ items: [] });
});

test('400: a page token from another list is refused', async () => {
  const { client } = await admin();
  expect(await client.get(`${PATH}?paginationToken=${tokenAfter('x')}`)).toMatchObject({
    status: 400,
    body: { error: { id: 'InvalidPaginationToken' } },
  });
});

test('403: without Auth:Logs:Read', async () => {
  const { orgId } = await admin();
  const reader = await api.createPerson(orgId, { operations: ['Events:Read'] });
  expect((await reader.client.get(PATH)).status).toBe(403);
});
