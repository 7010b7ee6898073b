import { randomBytes } from 'node:crypto';
import { MANAGED_ROLES } from '../../domain/managed-roles';
import { migrate, noticesOf } from '../../entities/migrate';
import { newId } from '../../platform/ids';
import { asSuperuser, databaseUrl } from '../support/roles';

const BEFORE = 'OutboxTurns20261123090400';
const name = `strongroom_roles_${randomBytes(6).toString('hex')}`;
const ownerUrl = databaseUrl('strongroom_owner', name);

beforeAll(() => asSuperuser((client) => client.query(`CREATE DATABASE ${name} OWNER strongroom_owner`)));
afterAll(() => asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));

test('an upgrade adds the managed roles to each organisation, and skips a role if a permission already has the name', async () => {
  await migrate(ownerUrl, BEFORE);
  const [plain, named] = [newId('organization'), newId('organization')];
  await asSuperuser(async (client) => {
    await client.query(`INSERT INTO organizations (id, name) VALUES ($1, 'Plain'), ($2, 'Named')`, [plain, named]);
    await client.query(`INSERT INTO permissions (org_id, id, name, operations) VALUES ($1, $2, 'Viewer', '["Keys:Read"]')`, [
      named,
      newId('permission'),
    ]);
  }, name);

  const told = await noticesOf(ownerUrl, await migrate(ownerUrl));
  expect(told).toEqual([
    `Organisation ${named}: its own permission "Viewer" keeps that name and its operations, so the managed permission was not added`,
  ]);
  const rows = await asSuperuser(
    async (client) =>
      (await client.query('SELECT org_id, name, operations, is_managed, id FROM permissions ORDER BY org_id, name COLLATE "C"'))
        .rows as { org_id: string; name: string; operations: string[]; is_managed: boolean; id: string }[],
    name,
  );
  const of = (orgId: string) => rows.filter(({ org_id }) => org_id === orgId);
  expect(of(plain)).toEqual(
    MANAGED_ROLES.map((role) => ({ org_id: plain, is_managed: true, id: expect.stringMatching(/^pm-/), ...role })),
  );
  expect(of(named).map((row) => [row.name, row.is_managed])).toEqual([
    ['Approver', true],
    ['Auditor', true],
    ['Initiator', true],
    ['Viewer', false],
  ]);
  const unforced = await asSuperuser(
    async (client) => (await client.query('SELECT relname FROM pg_class WHERE relrowsecurity AND NOT relforcerowsecurity')).rows,
    name,
  );
  expect(unforced).toEqual([]);
});
