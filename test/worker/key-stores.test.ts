import { type KeyStoreFacts, SOFTWARE_STORE, SOFTWARE_STORE_ID } from '../../domain/key-stores';
import { keyStoresStore } from '../../entities/key-stores/key-stores.store';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';
import { createLogger } from '../../platform/logger';
import { readKeyStores } from '../../worker/key-stores';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let orgId: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
});

const vault: KeyStoreFacts = { storeId: 'ks-1', kind: 'OfflineSigner', name: 'Vault', state: 'Active', isPrimary: false };
const spare: KeyStoreFacts = { ...vault, storeId: 'ks-2', name: 'Spare' };
const primary = { isPrimary: true };
const other = { isPrimary: false };
const reportOf = (n: number, stores: readonly KeyStoreFacts[], of = orgId) => ({
  orgId: of,
  n,
  digest: sha256Hex(`${n}`),
  stores,
});
type Report = ReturnType<typeof reportOf>;

/** A signer that lists one organisation for each page. */
const signerOf = (reports: readonly Report[]) => ({
  listKeyStores: async ({ after = '' }: { readonly after?: string }) => ({
    organizations: [...reports]
      .sort((one, next) => (one.orgId < next.orgId ? -1 : 1))
      .filter((one) => one.orgId > after)
      .slice(0, 1),
  }),
});
const logger = createLogger('worker', 'silent');
const read = (reports: readonly Report[], compared = new Map<string, string>()) =>
  readKeyStores({ signer: signerOf(reports), db: database.db, logger }, compared);
const known = (of = orgId) => keyStoresStore.list(database.db.read(of));
const events = async (of = orgId) =>
  (
    await database.db.read(of).select<{ body: string }>(
      `SELECT concat_ws(' ', aggregate_id, aggregate_version, data->'keyStore'->>'state', data->'keyStore'->>'primary') AS body
         FROM events WHERE kind = 'keyStore.changed' ORDER BY id`,
    )
  ).map(({ body }) => body);

test('an organisation without a report has the software store, and needs no row', async () => {
  expect(await known()).toEqual([SOFTWARE_STORE]);
});

test('rows follow the reports, and each changed store has one event, also if a report is read twice', async () => {
  const first = reportOf(1, [SOFTWARE_STORE, vault]);
  await read([first]);
  await read([first]);
  expect(await known()).toEqual([SOFTWARE_STORE, vault]);
  expect(await events()).toEqual(['software 1 Active true', 'ks-1 1 Active false']);
  const stores: KeyStoreFacts[] = [{ ...SOFTWARE_STORE, ...other, state: 'Draining' }, { ...vault, ...primary }, spare];
  await read([reportOf(5, stores)]);
  expect(await known()).toEqual(stores);
  expect((await events()).slice(2)).toEqual(['software 5 Draining false', 'ks-1 5 Active true', 'ks-2 5 Active false']);
});

test('the number of reviewers is copied, and a change of it has an event', async () => {
  for (const [at, store] of [vault, { ...vault, reviewers: 2 }, { ...vault, reviewers: 3 }, vault].entries()) {
    await read([reportOf(at + 1, [SOFTWARE_STORE, store])]);
    expect(await known()).toEqual([SOFTWARE_STORE, store]);
  }
  expect((await events()).slice(1)).toEqual([1, 2, 3, 4].map((n) => `ks-1 ${n} Active false`));
});

test('the primary store can change back and forth', async () => {
  const swapped: KeyStoreFacts[] = [
    { ...SOFTWARE_STORE, ...other },
    { ...vault, ...primary },
  ];
  for (const [at, stores] of [[SOFTWARE_STORE, vault], swapped, [SOFTWARE_STORE, vault]].entries()) {
    await read([reportOf(at + 1, stores)]);
    expect(await known()).toEqual(stores);
  }
});

test('a store that the signer no longer reports is shown as removed', async () => {
  await read([reportOf(2, [SOFTWARE_STORE, vault, spare])]);
  await read([reportOf(1, [SOFTWARE_STORE, vault])]);
  expect(await known()).toEqual([SOFTWARE_STORE, vault, { ...spare, state: 'Removed' }]);
});

test('a report is copied to the rows of its organisation only, and not for an organisation that the database lacks', async () => {
  const second = await database.createOrganization();
  await read([reportOf(1, [SOFTWARE_STORE, vault]), reportOf(1, [SOFTWARE_STORE, spare], newId('organization'))]);
  expect(await known(second)).toEqual([SOFTWARE_STORE]);
  expect(await known()).toEqual([SOFTWARE_STORE, vault]);
});

test('two workers that copy the same report at once make the same rows and one event for each store', async () => {
  const report = reportOf(3, [
    { ...SOFTWARE_STORE, ...other },
    { ...vault, ...primary },
  ]);
  await read([reportOf(1, [SOFTWARE_STORE])]);
  await Promise.all([read([report]), read([report]), read([report])]);
  expect(await known()).toEqual(report.stores);
  expect((await events()).filter((one) => one.includes(' 3 '))).toHaveLength(2);
});

test('a report that was compared before is not read again', async () => {
  const compared = new Map([[orgId, sha256Hex('1')]]);
  await read([reportOf(1, [SOFTWARE_STORE, vault])], compared);
  expect(await known()).toEqual([SOFTWARE_STORE]);
});

test('the rows hold at most one primary store', async () => {
  await read([reportOf(1, [SOFTWARE_STORE, vault])]);
  const second = database.arrange(`UPDATE key_stores SET is_primary = true WHERE org_id = $1 AND id <> '${SOFTWARE_STORE_ID}'`, [
    orgId,
  ]);
  await expect(second).rejects.toThrow('key_stores_primary');
});
