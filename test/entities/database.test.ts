import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const someUser = (orgId: string) => ({
  orgId,
  id: newId('user'),
  username: `user-${newId('user')}`,
  name: "O'Neil \\ $1",
  kind: 'CustomerEmployee' as const,
});

test('a row written in a transaction is read back unchanged by a hot read, whatever characters it contains', async () => {
  const orgId = await database.createOrganization();
  const user = someUser(orgId);
  await database.db.withOrg(orgId, (tx) => tx.insert(UserEntity, user));
  const found = await database.db.read(orgId).row(UserEntity, 'WHERE t.name = $1 AND t.id = $2', [user.name, user.id]);
  expect(found).toMatchObject({ ...user, isActive: true, isRegistered: false });
  expect(found?.dateCreated).toBeInstanceOf(Date);
});

test('a hot read that fails leaves no open transaction for the next read', async () => {
  const orgId = await database.createOrganization();
  for (let i = 0; i < 12; i += 1)
    await expect(database.db.read(orgId).rows(UserEntity, 'WHERE no_such_column = 1')).rejects.toThrow();
  await expect(database.db.read(orgId).rows(UserEntity, '')).resolves.toEqual([]);
});

test('a transaction in which a failure was swallowed does not return as if it were committed', async () => {
  const orgId = await database.createOrganization();
  const user = someUser(orgId);
  const swallowing = database.db.withOrg(orgId, async (tx) => {
    await tx.insert(UserEntity, user);
    await tx.query('SELECT no_such_column').catch(() => undefined);
    return 'done';
  });
  await expect(swallowing).rejects.toThrow('current transaction is aborted');
  await expect(database.db.read(orgId).rows(UserEntity, '')).resolves.toEqual([]);
});

test.each([
  ['fails', Promise.reject(new Error('the work failed')), 'rejected'],
  ['succeeds', Promise.resolve(), 'fulfilled'],
])('after the work of a transaction %s, a late statement of a branch that still runs is refused', async (_how, end, status) => {
  const orgId = await database.createOrganization();
  end.catch(() => undefined);
  let late: (() => Promise<unknown>) | undefined;
  const [work] = await Promise.allSettled([
    database.db.withOrg(orgId, (tx) => {
      late = () => tx.query('SELECT 1');
      return end;
    }),
  ]);
  expect(work.status).toBe(status);
  const cause = { message: 'invariant: a statement came after the end of its transaction' };
  await expect(late?.()).rejects.toMatchObject({ code: 'Internal', cause });
});

test('withOrg refuses to nest instead of waiting for its own connection', async () => {
  const orgId = await database.createOrganization();
  const nested = database.db.withOrg(orgId, () => database.db.withOrg(orgId, async () => 1));
  await expect(nested).rejects.toMatchObject({ code: 'Internal' });
});

test('insertOnce returns whether it wrote, and update returns how many rows it changed', async () => {
  const orgId = await database.createOrganization();
  const user = someUser(orgId);
  const written = await database.db.withOrg(orgId, async (tx) => ({
    first: await tx.insertOnce(UserEntity, user),
    second: await tx.insertOnce(UserEntity, user),
    updated: await tx.update(UserEntity, { id: user.id }, { isActive: false }),
    missed: await tx.update(UserEntity, { id: newId('user') }, { isActive: false }),
  }));
  expect(written).toEqual({ first: true, second: false, updated: 1, missed: 0 });
});
