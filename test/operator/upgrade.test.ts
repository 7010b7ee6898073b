import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { releaseStore } from '../../entities/deployment/release.store';
import { migrate, migrationNames } from '../../entities/migrate';
import { NewerSchema } from '../../entities/newer-schema';
import { upgrade } from '../../operator/upgrade';
import { newId } from '../../platform/ids';
import { releaseVersion } from '../../platform/release';
import { asSuperuser, databaseUrl } from '../support/roles';

const BEFORE = 'SponsoredFeesByTime20261123070310';
const name = `strongroom_upgrade_${randomBytes(6).toString('hex')}`;
const ownerUrl = databaseUrl('strongroom_owner', name);

beforeAll(() => asSuperuser((client) => client.query(`CREATE DATABASE ${name} OWNER strongroom_owner`)));
afterAll(() => asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));

/**
 * Inserts an organisation of the previous release with people, and a program that the first person created. All of them may
 * request transfers and vote.
 */
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

test('an upgrade names exactly the policies that can no longer reach their quorum', async () => {
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

describe('releases', () => {
  const own = releaseVersion();
  const statement = (sql: string) => asSuperuser(async (client) => (await client.query<{ release: string }>(sql)).rows, name);
  const kept = async () => (await statement('SELECT release FROM deployment'))[0]?.release;
  const LATER = 'Later20991231235959';
  afterEach(() => statement(`DELETE FROM migrations WHERE name = '${LATER}'; UPDATE deployment SET release = '${own}'`));

  test('a database without a stored release gets all notes, and stores its release from then on', async () => {
    await statement('UPDATE deployment SET release = NULL');
    const lines = await upgrade(ownerUrl);
    expect(lines[0]).toBe(`From an unnamed release to ${own}`);
    expect(lines).toContain(`Notes of release ${own}:`);
    expect(await kept()).toBe(own);
    expect(await upgrade(ownerUrl)).toEqual(['The schema is up to date']);
  });

  test('an upgrade reports the release from which it starts', async () => {
    await statement(`UPDATE deployment SET release = '0.0.9'`);
    expect((await upgrade(ownerUrl))[0]).toBe(`From 0.0.9 to ${own}`);
  });

  test('a database that a newer release has changed is refused with both releases and the change, and nothing is written', async () => {
    await statement(`INSERT INTO migrations (timestamp, name) VALUES (20991231235959, '${LATER}');
      UPDATE deployment SET release = '9.8.7'`);
    const refusal = upgrade(ownerUrl);
    await expect(refusal).rejects.toThrow(NewerSchema);
    await expect(refusal).rejects.toThrow(
      `This is release ${own}, and release 9.8.7 has changed this database: ${LATER} is a change that ${own} does not know.`,
    );
    await expect(migrate(ownerUrl)).rejects.toThrow(NewerSchema);
    expect(await kept()).toBe('9.8.7');
  });

  test('a change of a newer release without a stored version is refused too', async () => {
    await statement(
      `INSERT INTO migrations (timestamp, name) VALUES (20991231235959, '${LATER}'); UPDATE deployment SET release = NULL`,
    );
    await expect(upgrade(ownerUrl)).rejects.toThrow(`release of a newer date has changed this database: ${LATER}`);
  });

  test('a newer release that was stored meanwhile is not overwritten', async () => {
    await statement(
      `INSERT INTO migrations (timestamp, name) VALUES (20991231235959, '${LATER}'); UPDATE deployment SET release = '9.8.7'`,
    );
    await releaseStore.keep(ownerUrl, own, migrationNames());
    expect(await kept()).toBe('9.8.7');
  });

  test('an older release on the same schema is let through, with a note', async () => {
    await statement(`UPDATE deployment SET release = '9.8.7'`);
    expect(await upgrade(ownerUrl)).toEqual([
      `From 9.8.7 back to ${own}, which have the same schema`,
      'The schema is up to date',
    ]);
  });
});
