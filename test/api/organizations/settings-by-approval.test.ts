import { reviewChange } from '../../../application/change-requests/release';
import { changeSettings } from '../../../application/organizations/settings';
import { MailEntity } from '../../../entities/mails/mail.entity';
import { type PermissionApi, startPermissionApi, type Waiting } from '../../support/permission-api';
import { errorId } from '../../support/policy-api';
import { RELEASING } from '../../support/releasing';

let parts: PermissionApi;
beforeAll(async () => {
  parts = await startPermissionApi();
  await parts.hold('Organizations:Modify');
});
afterAll(() => parts?.close());

const PATH = '/organizations/settings';
const update = (body: unknown) => parts.admin.client.change('PUT', PATH, body);
const ask = async (body: unknown) => parts.body<Waiting>(await update(body), 202);
const settings = async () => parts.body<Record<string, unknown>>(await parts.admin.client.get(PATH));
const decide = async ({ id, approvalId }: Waiting, value: 'Approved' | 'Denied') => {
  await parts.decide(approvalId, value);
  return parts.db.withOrg(parts.orgId, (tx) => reviewChange(tx, id, RELEASING));
};

test('202: a change waits with the resulting settings; meanwhile a second change is refused, and the approval applies the first one', async () => {
  const before = await settings();
  const change = await ask({ sessionMinutes: 30 });
  expect(change).toMatchObject({
    kind: 'OrganizationSettings',
    operationKind: 'Update',
    entityId: parts.orgId,
    body: { ...before, sessionMinutes: 30, version: Number(before['version']) + 1 },
  });
  expect(await settings()).toEqual(before);
  const second = await update({ sessionMinutes: 60 });
  expect([second.status, errorId(second.body)]).toEqual([409, 'ChangePending']);
  expect((await update({ sessionMinutes: before['sessionMinutes'] })).status).toBe(200);
  expect(await decide(change, 'Approved')).toEqual({ outcome: 'Ended', status: 'Applied' });
  expect(await settings()).toEqual({ ...before, sessionMinutes: 30, version: Number(before['version']) + 1 });
});

test('202: a change that was denied or overtaken by another change leaves the settings as they are', async () => {
  expect(await decide(await ask({ sessionMinutes: 45 }), 'Denied')).toMatchObject({ status: 'Rejected' });
  const late = await ask({ sessionMinutes: 45 });
  await parts.db.withOrg(parts.orgId, (tx) => changeSettings(tx, { serviceAccountsMayVote: true }));
  expect(await decide(late, 'Approved')).toMatchObject({ status: 'Failed' });
  expect(await settings()).toMatchObject({ sessionMinutes: 30 });
});

test('202: the approval that switches export on starts the waiting time and notifies the administrators', async () => {
  const mails = async () => (await parts.db.read(parts.orgId).rows(MailEntity, `WHERE t.template = 'SettingSwitchedOn'`)).length;
  const change = await ask({ keyExport: true, keyExportWaitHours: 24 });
  expect(change.body).not.toHaveProperty('keyExportFrom');
  expect(await mails()).toBe(0);
  await decide(change, 'Approved');
  const { keyExportFrom } = await settings();
  expect(new Date(String(keyExportFrom)).getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect(await mails()).toBe(2);
});

test('202: no answer contains the secret of an identity provider', async () => {
  const provider = {
    issuer: 'https://id.example.com',
    clientId: 'vault',
    emailDomains: ['example.com'],
    clientSecret: 'c4nary-s3cret',
  };
  const answer = await update({ sso: { provider } });
  expect(answer.status).toBe(202);
  expect(JSON.stringify(answer.body)).not.toContain('c4nary');
  expect(JSON.stringify(await parts.row((answer.body as Waiting).id))).not.toContain('c4nary');
  expect(await decide(answer.body as Waiting, 'Approved')).toMatchObject({ status: 'Applied' });
  expect(await settings()).toMatchObject({ sso: { provider: { clientId: 'vault', hasClientSecret: true } } });
});

test('403: a policy blocks the change, and the settings stay unchanged', async () => {
  const policyId = await parts.hold('Organizations:Modify', { action: { kind: 'Block' } });
  const answer = await update({ keyImport: true });
  expect([answer.status, errorId(answer.body)]).toEqual([403, 'PolicyBlocked']);
  expect(await settings()).toMatchObject({ keyImport: false });
  await parts.drop(policyId);
});
