import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { migrate } from '../../entities/migrate';
import { upgrade } from '../../operator/upgrade';
import { newId } from '../../platform/ids';
import { asSuperuser, databaseUrl } from '../support/roles';

const BEFORE = 'SponsoredFeesByTime20261123070310';
const name = `strongroom_upgrade_${randomBytes(6).toString('hex')}`;
const ownerUrl = databaseUrl('strongroom_owner', name);

beforeAll(() => asSuperuser((client) => client.query(`CREATE DATABASE ${name} OWNER strongroom_owner`)));
afterAll(() => asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));

/** An organisation of the release before, with so many people who ask and decide, and a program of the first one that did too. */
async function plant(client: Client, people: number): Promise<string> {
  const orgId = newId('organization');
  const permissionId = newId('permission');
  await client.query(`INSERT INTO organizations (id, name) VALUES ($1, $1)`, [orgId]);
  await client.query(`INSERT INTO permissions (org_id, id, name, operations) VALUES ($1, $2, 'All', $3)`, [
    ...[orgId, permissionId],
    JSON.stringify(['Wallets:Transfers:Create', 'Policies:Approvals:Approve']),
  ]);
  const users = Array.from({ length: people + 1 }, () => newId('user'));
  for (const [place, id] of users.entries()) {
    const isProgram = place === people;
    await client.query(
      `INSERT INTO users (org_id, id, username, name, kind, is_registered, is_service_account, created_by, date_created)
       VALUES ($1, $2, $2, '', 'CustomerEmployee', true, $3, $4, now() - interval '30 days')`,
      [orgId, id, isProgram, isProgram ? users[0] : null],
    );
    await client.query(`INSERT INTO permission_assignments (org_id, id, permission_id, user_id) VALUES ($1, $2, $3, $4)`, [
      ...[orgId, newId('assignment'), permissionId, id],
    ]);
  }
  return orgId;
}

const group = (quorum: number) => ({ quorum, approvers: {}, serviceAccountsCanApprove: true });
async function insertPolicy(client: Client, orgId: string, quorum: number, status = 'Active'): Promise<string> {
  const id = newId('policy');
  const action = JSON.stringify({ kind: 'RequestApproval', approvalGroups: [group(1), group(quorum)] });
  await client.query(
    `INSERT INTO policies (org_id, id, name, status, activity_kind, rule, action, version) VALUES ($1, $2, $2, $3, 'Wallets:Sign', '{}', $4, 1)`,
    [orgId, id, status, action],
  );
  return id;
}

test('an upgrade names the policies whose approvals cannot be reached any more, and no other', async () => {
  await migrate(ownerUrl, BEFORE);
  const planted = await asSuperuser(async (client) => {
    const [few, many] = [await plant(client, 2), await plant(client, 3)];
    await insertPolicy(client, few, 1);
    await insertPolicy(client, few, 9, 'Archived');
    await insertPolicy(client, many, 2);
    return { few, many, lost: await insertPolicy(client, few, 2) };
  }, name);
  const told = (await upgrade(ownerUrl)).filter((line) => line.startsWith('Policy'));
  expect(told).toEqual([
    expect.stringContaining(`Policy of ${planted.few}: ${planted.lost} group 2 cannot reach its quorum of 2 when`),
  ]);
  expect(await upgrade(ownerUrl)).toEqual(['The schema is up to date']);
});
