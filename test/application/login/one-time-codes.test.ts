import { randomBytes } from 'node:crypto';
import { issueCode, redeemCode } from '../../../application/login/one-time-codes';
import { oneTimeCodeStore } from '../../../entities/one-time-codes/one-time-code.store';
import { createCodeDigest } from '../../../platform/one-time-codes';
import { createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';

const services = {
  codeDigest: createCodeDigest(randomBytes(32)),
  lockout: { guess: <T>(_guessed: unknown, attempt: (mayTry: boolean) => Promise<T | undefined>) => attempt(true) },
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(20);
});
afterAll(() => database?.close());

async function somebody() {
  const orgId = await database.createOrganization();
  const { caller } = await createActor(database.db, orgId);
  const owner = { userId: caller.userId, purpose: 'Login' as const };
  const within = database.db.withOrg;
  return {
    orgId,
    owner,
    issue: (lifetimeMs = 60_000, purpose: 'Login' | 'Recovery' | 'Credential' = 'Login') =>
      within(orgId, (tx) => issueCode(tx, services, { ...owner, purpose }, new Date(Date.now() + lifetimeMs))),
    redeem: (code: string, purpose: 'Login' | 'Recovery' = 'Login') =>
      within(orgId, (tx) => redeemCode(tx, services, { ...owner, purpose }, code)),
  };
}

test('a code is accepted once', async () => {
  const { issue, redeem } = await somebody();
  const code = await issue();
  expect(await redeem(code)).toBe(true);
  expect(await redeem(code)).toBe(false);
});

test('of 40 uses at once, exactly one is accepted', async () => {
  const { issue, redeem } = await somebody();
  const code = await issue();
  const answers = await Promise.all(Array.from({ length: 40 }, () => redeem(code)));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test('the right code is accepted after four wrong codes, and refused after five', async () => {
  for (const [wrong, isGood] of [
    [4, true],
    [5, false],
  ] as const) {
    const { issue, redeem } = await somebody();
    const code = await issue();
    for (let guess = 0; guess < wrong; guess += 1) expect(await redeem('AAA-AAA-AAA')).toBe(false);
    expect(await redeem(code)).toBe(isGood);
  }
});

test('a new code voids the code before it and restarts the count; of four codes issued at once one is valid', async () => {
  const { issue, redeem } = await somebody();
  const first = await issue();
  for (let guess = 0; guess < 5; guess += 1) await redeem('AAA-AAA-AAA');
  const codes = await Promise.all(Array.from({ length: 4 }, () => issue()));
  expect(await redeem(first)).toBe(false);
  const answers: boolean[] = [];
  for (const code of codes) answers.push(await redeem(code));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test('a code is accepted only before it expires, and only for its purpose, its person and its organisation', async () => {
  const [mine, other] = [await somebody(), await somebody()];
  const late = await mine.issue(-1);
  expect(await mine.redeem(late)).toBe(false);
  const code = await mine.issue();
  await other.issue();
  expect(await mine.redeem(code, 'Recovery')).toBe(false);
  expect(await other.redeem(code)).toBe(false);
  expect(await mine.redeem(code)).toBe(true);
});

describe('a code for a further credential', () => {
  const ownerOf = (code: string) => oneTimeCodeStore.findOwner(database.db, services.codeDigest(code, 'Credential'));

  test('identifies its owner in any organisation, until it expires', async () => {
    const people = [await somebody(), await somebody()];
    for (const { issue, orgId, owner } of people) {
      expect(await ownerOf(await issue(60_000, 'Credential'))).toEqual({ orgId, userId: owner.userId });
      expect(await ownerOf(await issue(-1, 'Credential'))).toBeUndefined();
    }
    expect(await ownerOf('AAA-AAA-AAA')).toBeUndefined();
  });

  test('makes only its own row readable, no row of another purpose, and no row writable', async () => {
    const [mine, other] = [await somebody(), await somebody()];
    const digest = services.codeDigest(await mine.issue(60_000, 'Credential'), 'Credential');
    await mine.issue();
    const seen = await database.db.withOrg(other.orgId, async (tx) => {
      await tx.query(`SELECT set_config('strongroom.code_digest', $1, true)`, [digest]);
      const written = await tx.query('UPDATE one_time_codes SET attempts = 9 WHERE code_digest = $1 RETURNING id', [digest]);
      const rows = await tx.select<{ purpose: string }>('SELECT purpose FROM one_time_codes');
      return { written, rows };
    });
    expect(seen).toEqual({ written: [], rows: [{ purpose: 'Credential' }] });
    expect(await database.db.withOrg(other.orgId, (tx) => tx.select('SELECT id FROM one_time_codes'))).toEqual([]);
  });
});
