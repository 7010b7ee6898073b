import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { ANCHOR_AGE_MS_MAX } from '../../domain/anchors';
import { signerAnchorStore } from '../../entities/deployment/signer-anchor.store';
import { createAnchors } from '../../signer/record/anchors';
import { keepAnchors } from '../../worker/signer-anchors';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { waitUntil } from '../support/wait-until';

const { make } = createAnchors({ signerId: 'sig-one', key: randomBytes(32) });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(() => database.db.withOrg('', (tx) => tx.query(`UPDATE signer_anchors SET anchor = 'none', date_asked = 'epoch'`)));

const keep = (anchor: string, ageMs: number) => database.db.withOrg('', (tx) => signerAnchorStore.keep(tx, anchor, ageMs));
const known = async (ageMsMax = ANCHOR_AGE_MS_MAX) => (await signerAnchorStore.now(database.db.read(''), ageMsMax)).anchor;

test('an anchor (by which the signer limits the age of an action) is read until its maximum age and not after', async () => {
  expect(await known()).toBeNull();
  await keep('one', 10_000);
  // The statements take less than nine seconds.
  expect(await known(19_000)).toBe('one');
  expect(await known(10_000)).toBeNull();
  await keep('two', 0);
  expect(await known()).toBe('two');
});

test('among several workers, the anchor that was requested last stays, whatever the order of the writes', async () => {
  await keep('asked last', 1_000);
  await keep('asked before, and suspended until now', 30_000);
  expect(await known()).toBe('asked last');
  await keep('asked now', 0);
  expect(await known()).toBe('asked now');
});

test('an anchor with a later time, from before the clock of the database was set back, is replaced', async () => {
  await keep('later', -3_600_000);
  expect(await known()).toBe('later');
  await keep('now', 0);
  expect(await known()).toBe('now');
});

const logging = () => {
  const lines: string[] = [];
  return { lines, logger: pino({}, { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) }) };
};

test('the worker keeps the newest anchor while the signer is unavailable, and continues when it is back', async () => {
  const { lines, logger } = logging();
  let asked = 0;
  let isAway = false;
  const signer = {
    anchor: async () => {
      asked += 1;
      if (isAway) throw new Error('away');
      return { anchor: make(asked) };
    },
  };
  const leave = [
    await keepAnchors({ signer, db: database.db, logger, askEveryMs: 5 }),
    await keepAnchors({ signer, db: database.db, logger, askEveryMs: 5 }),
  ];
  const first = await known();
  expect(first).toMatch(/^anchor1\./);
  const changes = (from: string | null) =>
    waitUntil('another anchor', async () => {
      const anchor = await known();
      return anchor === from ? undefined : anchor;
    });
  await changes(first);
  isAway = true;
  const from = asked;
  const missed = () => lines.filter((line) => line.startsWith('no anchor')).length;
  await waitUntil('both workers to ask several times without an answer', () =>
    missed() >= 2 && asked >= from + 10 ? true : undefined,
  );
  const last = await known();
  // The row stays until its maximum age, and each worker logs once that the signer is unavailable.
  expect(last).toMatch(/^anchor1\./);
  expect(missed()).toBe(2);
  isAway = false;
  await changes(last);
  for (const one of leave) await one();
  expect(lines.filter((line) => line === 'the signer gives anchors again').length).toBeGreaterThanOrEqual(1);
  const atEnd = await known();
  expect(atEnd).not.toBe(last);
});

test('an unavailable signer does not prevent the start of a worker, and the API then does not read an anchor', async () => {
  const { lines, logger } = logging();
  const signer = { anchor: () => Promise.reject(new Error('away')) };
  await (await keepAnchors({ signer, db: database.db, logger }))();
  expect(await known()).toBeNull();
  expect(lines).toEqual([expect.stringMatching(/^no anchor of the signer/)]);
});
