import { randomBytes } from 'node:crypto';
import { issueCode } from '../../../application/login/one-time-codes';
import { type RegistrationServices, startRegistration } from '../../../application/registration/registration';
import type { Database, Reader, Tx } from '../../../entities/database';
import { oneTimeCodeStore } from '../../../entities/one-time-codes/one-time-code.store';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import { createCodeDigest } from '../../../platform/one-time-codes';
import { createTestDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

/** The same database, which records each query in `asked`. */
function watched({ db }: TestDatabase, asked: string[]): Database {
  const reader = <R extends Reader>(over: R): R => ({
    ...over,
    rows: (entity, tail, values) => {
      asked.push(tail);
      return over.rows(entity, tail, values);
    },
    row: (entity, tail, values) => {
      asked.push(tail);
      return over.row(entity, tail, values);
    },
    select: (sql, values) => {
      asked.push(sql);
      return over.select(sql, values);
    },
  });
  return {
    ...db,
    read: (orgId) => reader(db.read(orgId)),
    withOrg: (orgId, work) =>
      db.withOrg(orgId, (tx) => {
        const query: Tx['query'] = (sql, values) => {
          asked.push(sql);
          return tx.query(sql, values);
        };
        return work({ ...reader(tx), query });
      }),
  };
}

test('a wrong code causes the same database queries for every username', async () => {
  const orgId = await database.createOrganization();
  const codeDigest = createCodeDigest(randomBytes(32));
  const users = Object.fromEntries(['invited', 'registered', 'deactivated'].map((name) => [name, newId('user')]));
  await database.db.withOrg(orgId, async (tx) => {
    for (const [username, id] of Object.entries(users)) {
      const standing = { isActive: username !== 'deactivated', isRegistered: username === 'registered' };
      await tx.insert(UserEntity, { orgId, id, username, name: username, kind: 'CustomerEmployee', ...standing });
    }
    const owner = { userId: users['invited'] ?? '', purpose: 'Registration' as const };
    await issueCode(tx, { codeDigest }, owner, new Date(Date.now() + 60_000));
  });
  const questions = async (named: { readonly orgId: string; readonly username: string }, mayTry = true) => {
    const asked: string[] = [];
    const guessedAt: unknown[] = [];
    const services = {
      db: watched(database, asked),
      codeDigest,
      lockout: {
        guess: <T>({ kind }: { readonly kind: string }, attempt: (mayTry: boolean) => Promise<T>) => {
          guessedAt.push(kind);
          return attempt(mayTry);
        },
      },
    };
    const begun = startRegistration(services as object as RegistrationServices, { ...named, code: 'WRO-NG0-000' });
    await expect(begun).rejects.toMatchObject({ code: 'Unauthorized', message: 'Not Authorized.' });
    return { asked, guessedAt };
  };
  const first = await questions({ orgId, username: 'invited' });
  expect(first.asked.length).toBeGreaterThan(2);
  expect(first.guessedAt).toEqual(['Registration']);
  for (const username of ['registered', 'deactivated', 'nobody']) {
    expect([username, await questions({ orgId, username })]).toEqual([username, first]);
  }
  for (const strange of [newId('organization'), 'nowhere']) {
    expect([strange, await questions({ orgId: strange, username: 'invited' })]).toEqual([strange, first]);
  }
  // During a pause after wrong guesses the same queries run without a user, so the code loses no attempt.
  expect(await questions({ orgId, username: 'invited' }, false)).toEqual(first);
  const [code] = await database.db.read(orgId).select<{ attempts: number }>('SELECT attempts FROM one_time_codes');
  expect(code?.attempts).toBe(1);
});

test('a wrong code for an unknown user causes a write too, so that the request takes as long as for a known user', async () => {
  const orgId = await database.createOrganization();
  const writes = await database.db.withOrg(orgId, async (tx) => {
    await oneTimeCodeStore.redeem(tx, { userId: 'nobody', purpose: 'Registration', codeDigest: 'none' });
    return tx.query<{ id: string | null }>('SELECT pg_current_xact_id_if_assigned() AS id');
  });
  expect(writes).toEqual([{ id: expect.any(String) }]);
});
