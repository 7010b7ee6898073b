import { createLockout, type Guessed, type Lockout } from '../../../application/login/lockout';
import { GUESS_RULES } from '../../../domain/rate-limits';
import { type LimitStore, openLimitStore } from '../../../entities/limits/limit.store';
import { forClientAddress } from '../../../platform/client-address';
import { newId } from '../../../platform/ids';
import { createLimitDigest } from '../../../platform/limit-digest';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { asSuperuser } from '../../support/roles';

const HOME = '198.51.100.1';
const ELSEWHERE = '203.0.113.1';

let database: TestDatabase;
let stores: readonly [LimitStore, LimitStore];
let here: Lockout;
let there: Lockout;
beforeAll(async () => {
  database = await createTestDatabase();
  // The two stores act as two processes of one installation.
  stores = [openLimitStore(database.appUrl), openLimitStore(database.appUrl)];
  const digest = createLimitDigest(Buffer.alloc(32, 3));
  [here, there] = [createLockout({ store: stores[0], digest }), createLockout({ store: stores[1], digest })];
});
afterAll(async () => {
  await Promise.all((stores ?? []).map((store) => store.close()));
  await database?.close();
});

const newOwner = (kind = 'Password'): Guessed => ({ orgId: newId('organization'), userId: newId('user'), kind });
/** Returns true if the guess was checked and right. */
const guess = async (guessed: Guessed, isRight: boolean, address = HOME, lockout = here): Promise<boolean> =>
  (await forClientAddress(address, () => lockout.guess(guessed, async () => isRight || undefined))) === true;
const guessWrongly = async (guessed: Guessed, times: number, address = HOME): Promise<void> => {
  for (let at = 0; at < times; at += 1) await guess(guessed, false, address);
};
/** Ends every pause. */
const endPauses = () =>
  asSuperuser((client) => client.query('UPDATE lockouts SET date_until = clock_timestamp()'), database.name);
const pausesMs = async (): Promise<number[]> => {
  const { rows } = await asSuperuser(
    (client) =>
      client.query<{ ms: number }>(`SELECT extract(epoch FROM date_until - date_changed)::float8 * 1000 AS ms FROM lockouts
      WHERE date_until > date_changed ORDER BY ms DESC`),
    database.name,
  );
  return rows.map(({ ms }) => Math.round(ms));
};
beforeEach(() => asSuperuser((client) => client.query('TRUNCATE lockouts'), database.name));

test('a few wrong guesses start no pause; after one more, a right guess is refused until the pause is over', async () => {
  const owner = newOwner();
  await guessWrongly(owner, GUESS_RULES.pair.free);
  expect(await guess(owner, true)).toBe(true);
  await guessWrongly(owner, GUESS_RULES.pair.free + 1);
  expect(await guess(owner, true)).toBe(false);
  await endPauses();
  expect(await guess(owner, true)).toBe(true);
});

test('a right guess resets the count', async () => {
  const owner = newOwner();
  for (let round = 0; round < 4; round += 1) {
    await guessWrongly(owner, GUESS_RULES.pair.free - 1);
    expect(await guess(owner, true)).toBe(true);
  }
});

test('each pause is twice as long as the one before, up to a limit', async () => {
  const owner = newOwner();
  await guessWrongly(owner, GUESS_RULES.pair.free);
  const pauses: number[] = [];
  for (let at = 0; at < 14; at += 1) {
    await endPauses();
    await guess(owner, false);
    const [longest = 0] = await pausesMs();
    pauses.push(longest);
  }
  const expected = pauses.map((_, at) => Math.min(GUESS_RULES.pair.mostMs, GUESS_RULES.pair.firstMs * 2 ** at));
  for (const [at, pause] of pauses.entries()) expect(Math.abs(pause - (expected[at] ?? 0))).toBeLessThan(10);
  expect(pauses.at(-1)).toBeGreaterThan(GUESS_RULES.pair.mostMs - 10);
});

test('a guess during a pause does not make the pause longer', async () => {
  const owner = newOwner();
  await guessWrongly(owner, GUESS_RULES.pair.free + 1);
  const before = await asSuperuser((client) => client.query('SELECT * FROM lockouts ORDER BY key'), database.name);
  await guessWrongly(owner, 20);
  const after = await asSuperuser((client) => client.query('SELECT * FROM lockouts ORDER BY key'), database.name);
  expect(after.rows).toEqual(before.rows);
});

test('a pause applies in the other process too, and ends in both', async () => {
  const owner = newOwner();
  await guessWrongly(owner, GUESS_RULES.pair.free + 1);
  expect(await guess(owner, true, HOME, there)).toBe(false);
  await endPauses();
  expect(await guess(owner, true, HOME, there)).toBe(true);
  expect(await guess(owner, true)).toBe(true);
});

test('of 40 guesses at once in two processes, no more are checked than of 40 in sequence', async () => {
  const owner = newOwner();
  let looked = 0;
  await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      forClientAddress(HOME, () =>
        (at % 2 === 0 ? here : there).guess(owner, async (mayTry) => {
          looked += mayTry ? 1 : 0;
          return undefined;
        }),
      ),
    ),
  );
  expect(looked).toBe(GUESS_RULES.pair.free + 1);
});

test('guesses from one address do not lock out the owner at another address', async () => {
  const owner = newOwner();
  await guessWrongly(owner, GUESS_RULES.pair.free + 20, ELSEWHERE);
  expect(await guess(owner, true, ELSEWHERE)).toBe(false);
  expect(await guess(owner, true, HOME)).toBe(true);
});

test('guesses from very many addresses are paused together, except from an address where the owner recently succeeded', async () => {
  const owner = newOwner();
  expect(await guess(owner, true, HOME)).toBe(true);
  for (let at = 0; at <= GUESS_RULES.whole.free; at += 1) await guess(owner, false, `203.0.113.${at}`);
  expect(await guess(owner, true, '203.0.113.200')).toBe(false);
  expect(await guess(owner, true, HOME)).toBe(true);
});

test('an address where the owner succeeded long ago is treated like any other', async () => {
  const owner = newOwner();
  expect(await guess(owner, true, HOME)).toBe(true);
  const long = `clock_timestamp() - ${GUESS_RULES.trustedMs + 1_000} * interval '1 ms'`;
  await asSuperuser((client) => client.query(`UPDATE lockouts SET date_succeeded = ${long}`), database.name);
  for (let at = 0; at <= GUESS_RULES.whole.free; at += 1) await guess(owner, false, `203.0.113.${at}`);
  expect(await guess(owner, true, HOME)).toBe(false);
});

test('guesses at one secret do not pause another secret of the same person, nor the same secret of another person', async () => {
  const password = newOwner('Password');
  await guessWrongly(password, GUESS_RULES.pair.free + 5);
  expect(await guess({ ...password, kind: 'Totp' }, true)).toBe(true);
  expect(await guess({ ...password, userId: newId('user') }, true)).toBe(true);
});

test('guesses for an unknown user are counted too, and checked even during a pause, so that their timing does not differ', async () => {
  const nobody = { ...newOwner(), userId: undefined };
  let ran = 0;
  for (let at = 0; at < 20; at += 1) {
    await forClientAddress(HOME, () =>
      here.guess(nobody, async () => {
        ran += 1;
        return undefined;
      }),
    );
  }
  expect(ran).toBe(20);
  expect(await guess(nobody, true)).toBe(false);
  expect(await guess(nobody, true, ELSEWHERE)).toBe(true);
});

test('a count is forgotten after a day without a guess', async () => {
  const owner = newOwner();
  await guessWrongly(owner, GUESS_RULES.pair.free);
  const old = `clock_timestamp() - ${GUESS_RULES.forgottenMs + 1_000} * interval '1 ms'`;
  await asSuperuser((client) => client.query(`UPDATE lockouts SET date_changed = ${old}`), database.name);
  await guessWrongly(owner, GUESS_RULES.pair.free);
  expect(await guess(owner, true)).toBe(true);
});

test('old counts are removed, and current counts stay', async () => {
  const [old, young] = [newOwner(), newOwner()];
  await guess(old, false);
  const long = `clock_timestamp() - interval '2 days'`;
  await asSuperuser((client) => client.query(`UPDATE lockouts SET date_changed = ${long}`), database.name);
  await guess(young, false);
  await stores[0].removeOld(24 * 3_600_000);
  const { rowCount } = await asSuperuser((client) => client.query('SELECT FROM lockouts'), database.name);
  expect(rowCount).toBe(2);
});

test('no row names the owner of a guessed secret or the address of the guess', async () => {
  const owner = newOwner();
  await guess(owner, false);
  const { rows } = await asSuperuser((client) => client.query('SELECT * FROM lockouts'), database.name);
  const text = JSON.stringify(rows);
  for (const part of [HOME, owner.orgId, owner.userId ?? '', 'Password']) expect(text).not.toContain(part);
});
