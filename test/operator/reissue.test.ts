import { beginReissue } from '../../application/recovery/reissues';
import { freezeStore } from '../../entities/deployment/freeze.store';
import { newId } from '../../platform/ids';
import type { Person } from '../support/api';
import { holdTransfer, insertPolicy, insertWallet } from '../support/held-activity';
import { askFor } from '../support/policies';
import { type Reissuing, startReissuing } from '../support/reissuing';
import { asSuperuser, databaseUrl, type Role } from '../support/roles';
import { NOT_AUTHORIZED } from '../support/sign-in-api';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(120_000);

let api: Reissuing;
beforeAll(async () => {
  api = await startReissuing();
});
afterAll(() => api?.close());

const refused = { status: 401, body: NOT_AUTHORIZED };
/** An organisation with a wait for recoveries, two administrators, and a user who is not an administrator. */
async function company(hours = 24) {
  const orgId = await api.createOrganization();
  if (hours > 0) await api.setWait(orgId, hours);
  const [admin, lost] = [await api.createPerson(orgId), await api.createPerson(orgId)];
  const clerk = await api.createPerson(orgId, { operations: ['Wallets:Read'] });
  return { orgId, admin, lost, clerk };
}
const standingOf = async ({ client }: Person, id: string) => {
  const { body } = await client.get('/auth/recover/user');
  return (body as { items: { id: string }[] }).items.find((one) => one.id === id);
};

test('an administrator regains access after the wait; all administrators are notified at once, and earlier credentials are void', async () => {
  const { orgId, admin, lost } = await company();
  const reissued = await api.reissue(lost);
  expect(await api.toldOf(lost, 'ReissueStarted')).toEqual([admin.username, lost.username].sort());
  expect(await standingOf(admin, reissued.id)).toMatchObject({ userId: lost.userId, kind: 'Operator', status: 'Waiting' });
  expect(await api.begin(reissued)).toMatchObject(refused);
  expect(await api.look(reissued)).toMatchObject({ status: 'Waiting' });
  await api.isOver(reissued);
  const back = await api.comeBack(reissued);
  expect((await back.change('PUT', '/organizations/settings', { approvalMails: false })).status).toBe(200);
  expect((await lost.client.get('/auth/credentials')).status).toBe(401);
  expect(await api.toldOf(lost, 'RecoveryCompleted')).toEqual([admin.username, lost.username].sort());
  expect(await standingOf(admin, reissued.id)).toMatchObject({ status: 'Applied' });
  expect(await api.look(reissued)).toEqual({ status: 'Applied', waitMs: 0 });
  // The code works only once.
  expect(await api.begin(reissued)).toMatchObject(refused);
  const starts = await api.db
    .read(orgId)
    .select<{ workflow: string }>(
      `SELECT routing ->> 'workflow' AS workflow FROM outbox WHERE aggregate_id = $1 AND kind = 'start'`,
      [reissued.id],
    );
  expect(starts).toEqual([{ workflow: 'recover' }]);
});

test('the audit log lists the reissue together with signed changes, under the user who regains access', async () => {
  const { admin, lost } = await company();
  await admin.client.change('PUT', '/organizations/settings', { approvalMails: false });
  const { id } = await api.reissue(lost);
  const audit = async (more = '') => {
    const path = `/auth/action/logs?startTime=2020-01-01T00:00:00Z&endTime=2099-01-01T00:00:00Z${more}`;
    const response = await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${admin.token}` } });
    const [, ...lines] = (await response.text()).trimEnd().split('\n');
    return lines.map((line) => line.split(','));
  };
  const line = [id, expect.any(String), 'org:reissue', '', 'OPERATOR', 'org:reissue', '', lost.userId, lost.username, '', '', ''];
  expect((await audit()).map(([, , action]) => action)).toEqual(['updateOrganizationSettings', 'org:reissue']);
  expect(await audit(`&userId=${lost.userId}`)).toEqual([line]);
});

test('without a wait, as in a local trial, the code is valid at once, and only one of forty parallel uses succeeds', async () => {
  const { lost } = await company(0);
  const reissued = await api.reissue(lost);
  expect(await api.inParallel(() => api.begin(reissued))).toEqual({ 200: 1, 401: 39 });
});

test('every administrator, and no other user, can stop a reissue until the code is used', async () => {
  const { admin, lost, clerk } = await company();
  const stop = (by: Person, id: string) => by.client.change('DELETE', `/auth/recover/user/${id}`);
  const waiting = await api.reissue(lost);
  expect((await stop(clerk, waiting.id)).status).toBe(404);
  expect((await stop(admin, waiting.id)).status).toBe(200);
  await api.isOver(waiting);
  expect(await api.begin(waiting)).toMatchObject(refused);
  expect(await api.toldOf(lost, 'RecoveryStopped')).toEqual([admin.username, lost.username].sort());

  const begun = await api.reissue(lost);
  await api.isOver(begun);
  const { body } = await api.begin(begun);
  expect((await stop(admin, begun.id)).status).toBe(200);
  const { challenge, temporaryAuthenticationToken } = body as { challenge: string; temporaryAuthenticationToken: string };
  const { newCredentials } = api.renew({ challenge });
  expect(await api.call('POST', '/auth/registration', newCredentials, temporaryAuthenticationToken)).toMatchObject(refused);
  expect((await lost.client.get('/auth/credentials')).status).toBe(200);
});

test('an unused code expires three days after the wait, and all administrators are notified', async () => {
  const { admin, lost } = await company();
  const reissued = await api.reissue(lost);
  await api.isOver(reissued);
  expect(await api.look(reissued)).toMatchObject({ status: 'Waiting' });
  const past = `date_expires = date_expires - interval '97 hours'`;
  await api.upset(`UPDATE recoveries SET ${past} WHERE id = $1`, [reissued.id]);
  await api.upset(`UPDATE reissue_grants SET ${past} WHERE id = $1`, [reissued.id]);
  expect(await api.begin(reissued)).toMatchObject(refused);
  expect(await api.look(reissued)).toEqual({ status: 'Stopped', waitMs: 0 });
  expect(await api.toldOf(lost, 'RecoveryStopped')).toContain(admin.username);
});

test('the new credential can vote only on requests for approval that are newer than the credential', async () => {
  const { orgId, admin, lost } = await company(0);
  const action = askFor([{ name: 'Two', quorum: 1, approvers: { userId: { in: [lost.userId] } } }], 60);
  await insertPolicy(api.db, orgId, { action });
  const walletId = await insertWallet(api.db, orgId);
  const hold = async () =>
    (await holdTransfer(api.db, orgId, { activityId: newId('transfer'), walletId, initiatorId: admin.userId })).approvalId;
  const earlier = await hold();
  const back = await api.comeBack(await api.reissue(lost));
  const later = await hold();
  const vote = (approvalId: string) => back.change('POST', `/v2/policy-approvals/${approvalId}/decisions`, { value: 'Approved' });
  expect(await vote(earlier)).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining('newer than the request for approval') } },
  });
  expect(await vote(later)).toMatchObject({ status: 200 });
});

test("a newer reissue replaces the earlier reissue, but not the person's own recovery", async () => {
  const { orgId, lost } = await company();
  const first = await api.reissue(lost);
  const second = await api.reissue(lost);
  await api.isOver(first);
  await api.isOver(second);
  expect(await api.begin(first)).toMatchObject(refused);
  expect((await api.begin(second)).status).toBe(200);

  const recovering = await api.createRecoverable(orgId);
  await api.recover(recovering);
  expect(await api.operator(api.words(orgId, recovering.userId))).toMatchObject({
    code: 1,
    output: expect.stringContaining('is already waiting'),
  });
});

test('a reissue is refused for a user without active full access, with a clear message and exit code 1', async () => {
  const { orgId, lost, clerk } = await company();
  const other = await company();
  const [program, customer] = [
    await api.createPerson(orgId, { isServiceAccount: true }),
    await api.createPerson(orgId, { kind: 'EndUser' }),
  ];
  const [inactive, archived, invited] = [
    await api.createPerson(orgId),
    await api.createPerson(orgId),
    await api.createPerson(orgId),
  ];
  await api.upset('UPDATE users SET is_active = false WHERE id = $1', [inactive.userId]);
  await api.upset('UPDATE users SET date_archived = clock_timestamp() WHERE id = $1', [archived.userId]);
  await api.upset('UPDATE users SET is_registered = false WHERE id = $1', [invited.userId]);
  const attempts: readonly [string, string, string][] = [
    [orgId, program.userId, 'is a service account'],
    [orgId, customer.userId, 'is an end user'],
    [orgId, inactive.userId, 'is not active'],
    [orgId, archived.userId, 'is archived'],
    [orgId, invited.userId, 'has never registered'],
    [orgId, clerk.userId, 'does not have full access'],
    [orgId, other.lost.userId, 'user not found in this organization'],
    [orgId, 'nobody@acme.test', 'user not found in this organization'],
    ['or-00000-00000-0000000000000000', lost.userId, 'organization not found'],
  ];
  for (const [org, user, said] of attempts) {
    await expect(beginReissue(api.db, api.services, { orgId: org, user })).rejects.toThrow(said);
  }
  const { code, output } = await api.operator(api.words(orgId, clerk.username));
  expect([code, output]).toEqual([1, expect.stringContaining('does not have full access')]);
  expect(output).not.toMatch(/\n\s+at /);
  expect(await api.operator(['org:reissue', '--org', orgId])).toMatchObject({
    code: 1,
    output: expect.stringContaining('--user'),
  });
  expect(await api.operator(['org:reissue', '--help'])).toMatchObject({ code: 0, output: expect.stringContaining('--user') });
});

test('a user who loses full access during the wait does not regain access', async () => {
  const { orgId, lost } = await company();
  const [before, during] = [await api.reissue(lost), await company()];
  await api.isOver(before);
  await api.upset('DELETE FROM permission_assignments WHERE org_id = $1 AND user_id = $2', [orgId, lost.userId]);
  await expect(api.comeBack(before)).rejects.toThrow('401');
  const reissued = await api.reissue(during.lost);
  await api.isOver(reissued);
  await api.upset('UPDATE users SET is_active = false WHERE id = $1', [during.lost.userId]);
  await expect(api.comeBack(reissued)).rejects.toThrow('401');
});

test('a reissue without a grant of the owner gives no access, and no role of the service can change a grant', async () => {
  const { orgId, admin, lost } = await company();
  const { code, output } = await api.operator(api.words(orgId, lost.userId), { OWNER_DATABASE_URL: api.database.appUrl });
  expect([code, output]).toEqual([1, expect.stringContaining('permission denied')]);
  const { grant, ...begun } = await beginReissue(api.db, api.services, { orgId, user: lost.username });
  await api.isOver(grant);
  expect(await api.begin({ orgId, ...begun })).toMatchObject(refused);
  const as = (role: Role, sql: string, values: readonly unknown[]) =>
    asSuperuser(
      async (client) => {
        await client.query(`SET ROLE ${role}`);
        await client.query(`SELECT set_config('strongroom.org_id', $1, false)`, [orgId]);
        return (await client.query(sql, [...values])).rowCount;
      },
      new URL(databaseUrl('strongroom_app', api.database.name)).pathname.slice(1),
    );
  const reissued = await api.reissue(lost);
  const stopped = await api.reissue(admin);
  expect((await lost.client.change('DELETE', `/auth/recover/user/${stopped.id}`)).status).toBe(200);
  for (const role of ['strongroom_app', 'strongroom_worker'] as const) {
    const forbidden: readonly [string, readonly unknown[]][] = [
      [
        `INSERT INTO reissue_grants SELECT org_id, $1, user_id, code_digest, date_created, date_effective, date_expires FROM reissue_grants LIMIT 1`,
        [stopped.id],
      ],
      ['UPDATE reissue_grants SET date_effective = clock_timestamp() WHERE id = $1', [reissued.id]],
      ['UPDATE recoveries SET date_effective = clock_timestamp() WHERE id = $1', [reissued.id]],
      [`UPDATE recoveries SET user_id = $2 WHERE id = $1`, [reissued.id, admin.userId]],
      ['DELETE FROM recoveries WHERE id = $1', [reissued.id]],
    ];
    for (const [sql, values] of forbidden) await expect(as(role, sql, values)).rejects.toThrow('permission denied');
    expect(await as(role, `UPDATE recoveries SET status = 'Waiting', ended_by = NULL WHERE id = $1`, [stopped.id])).toBe(0);
  }
});

test('a reissue has no effect while the deployment is frozen, and the release ends it like every recovery', async () => {
  const { orgId, admin, lost } = await company();
  const [reissued, recovering] = [await api.reissue(lost), await api.createRecoverable(orgId)];
  const { answer } = await api.recover(recovering);
  const own = { orgId, id: (answer.body['recovery'] as { id: string }).id };
  await api.isOver(reissued);
  await api.upset(`UPDATE recoveries SET date_effective = clock_timestamp() WHERE id = $1`, [own.id]);
  await freezeStore.freeze(api.database.ownerUrl, 'It looks wrong');
  try {
    for (const one of [reissued, own]) expect(await api.look(one)).toMatchObject({ status: 'Waiting' });
    await expect(beginReissue(api.db, api.services, { orgId, user: admin.userId })).rejects.toThrow(
      'Release the deployment first',
    );
  } finally {
    await freezeStore.thaw(api.database.ownerUrl);
  }
  // The API learns of the release with a delay.
  await waitUntil('the end of the freeze', async () => (await api.begin(reissued)).status !== 503);
  expect(await api.begin(reissued)).toMatchObject(refused);
  for (const one of [reissued, own]) expect(await api.look(one)).toEqual({ status: 'Stopped', waitMs: 0 });
  expect(await api.toldOf(lost, 'RecoveryStopped')).toContain(admin.username);
  expect(await api.toldOf(recovering, 'RecoveryStopped')).toContain(admin.username);
});

test('the code is printed and is stored in no row', async () => {
  const { orgId, lost } = await company();
  const { code } = await api.reissue(lost);
  for (const table of ['one_time_codes', 'reissue_grants', 'recoveries', 'outbox', 'mails']) {
    const rows = await api.db.read(orgId).select<{ text: string }>(`SELECT row_to_json(t)::text AS text FROM ${table} t`);
    expect([table, rows.length > 0]).toEqual([table, true]);
    for (const bare of [code, code.replaceAll('-', '')]) expect(JSON.stringify(rows)).not.toContain(bare);
  }
});
