import { MailEntity } from '../../../entities/mails/mail.entity';
import type { Person } from '../../support/api';
import { createKey, createRecipient } from '../../support/keys';
import { asSuperuser } from '../../support/roles';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi } from '../../support/wallet-api';

let wallets: WalletApi;
let admin: Person;
let encryptionKey: string;
beforeAll(async () => {
  wallets = await startWalletApi();
  ({ encryptionKey } = await createRecipient());
}, START_LIMIT_MS);
afterAll(() => wallets?.close());
beforeEach(async () => {
  admin = await wallets.api.createPerson(await wallets.api.createOrganization({}), { name: 'admin' });
});

const HOUR_MS = 3_600_000;
const set = (body: unknown) => admin.client.change('PUT', '/organizations/settings', body);
const settings = async () => (await admin.client.get('/organizations/settings')).body as { keyExportFrom?: string };
const hoursLeft = async () => (new Date((await settings()).keyExportFrom ?? '').getTime() - Date.now()) / HOUR_MS;
const exportOf = (id: string) =>
  admin.client.change('POST', `/keys/${id}/export`, {
    encryptionKey,
    supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }],
  });
const mails = () => wallets.api.database.db.read(admin.orgId).rows(MailEntity, `WHERE t.template = 'SettingSwitchedOn'`);

test('keys can be exported one day after export is switched on, and export can be switched off at once', async () => {
  const { id } = await createKey(wallets, undefined, admin);
  const on = await set({ keyExport: true });
  expect(on).toMatchObject({ status: 200, body: { keyExport: true, keyExportFrom: expect.any(String) } });
  expect(Math.round(await hoursLeft())).toBe(24);
  expect(await exportOf(id)).toMatchObject(refusal(403, 'Forbidden', { setting: 'keyExport' }));
  await asSuperuser(
    (client) =>
      client.query(
        `UPDATE organizations SET settings = settings || '{"keyExportFrom":"2026-01-01T00:00:00.000Z"}' WHERE id = $1`,
        [admin.orgId],
      ),
    wallets.api.database.name,
  );
  expect(await set({ keyExport: false })).toMatchObject({ status: 200, body: { keyExport: false } });
  expect(await settings()).not.toHaveProperty('keyExportFrom');
  expect(await exportOf(id)).toMatchObject(refusal(403, 'Forbidden', { setting: 'keyExport' }));
  // Switching export on again starts a new wait, although the first wait was over.
  await set({ keyExport: true });
  expect(Math.round(await hoursLeft())).toBe(24);
  expect(await exportOf(id)).toMatchObject(refusal(403, 'Forbidden', { setting: 'keyExport' }));
});

test('a key can be exported when the wait is over', async () => {
  const { id } = await createKey(wallets, undefined, admin);
  await set({ keyExport: true });
  await asSuperuser(
    (client) =>
      client.query(
        `UPDATE organizations SET settings = settings || jsonb_build_object('keyExportFrom', clock_timestamp()) WHERE id = $1`,
        [admin.orgId],
      ),
    wallets.api.database.name,
  );
  expect(await exportOf(id)).toMatchObject({ status: 200 });
});

test('a shortened wait does not apply at once, whether export is switched on in the same change or in a later one', async () => {
  await set({ keyExport: true, keyExportWaitHours: 0 });
  expect(Math.round(await hoursLeft())).toBe(24);
  await set({ keyExport: false });
  await set({ keyExport: true });
  expect(Math.round(await hoursLeft())).toBe(24);
  await set({ keyExport: false, keyExportWaitHours: 48 });
  await set({ keyExport: true });
  expect(Math.round(await hoursLeft())).toBe(48);
});

test('every full administrator is notified once, and only if export or grants beyond own rights are switched on', async () => {
  await wallets.api.createPerson(admin.orgId, { name: 'second' });
  await wallets.api.createPerson(admin.orgId, { name: 'clerk', operations: ['Orgs:Settings:Update'] });
  await set({ keyImport: true });
  expect(await mails()).toHaveLength(0);
  await set({ keyExport: true });
  await set({ keyExport: true, sessionMinutes: 30 });
  expect(await mails()).toHaveLength(2);
  await set({ keyExport: false });
  expect(await mails()).toHaveLength(2);
  await set({ grantBeyondOwnRights: true });
  expect(await mails()).toHaveLength(4);
});
