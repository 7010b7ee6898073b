import { randomBytes } from 'node:crypto';
import { ANCHOR_CHARS_MAX } from '../../../domain/anchors';
import { createKekRing } from '../../../signer/keys/kek';
import { Anchor } from '../../../signer/protocol';
import { createAnchors } from '../../../signer/record/anchors';
import { openJournal as openJournalWith } from '../../../signer/record/journal/open-journal';
import { kekOf, NOW_MS, openJournal, openOperations, temporaryFolder } from '../fixtures';

const key = randomBytes(32);
const anchors = createAnchors({ signerId: 'sig-one', key });

test('a signer reads from its anchor (a signed time) when the anchor was made', () => {
  for (const timeMs of [0, 1, NOW_MS, NOW_MS + 1]) expect(anchors.madeAtMs(anchors.make(timeMs))).toBe(timeMs);
  expect(anchors.make(NOW_MS)).not.toBe(anchors.make(NOW_MS + 1));
});

test('the longest anchor is a short ASCII text', () => {
  const { make } = createAnchors({ signerId: 'x'.repeat(64), key });
  expect(Anchor.safeParse({ anchor: make(999_999_999_999_999) }).success).toBe(true);
  expect(make(999_999_999_999_999).length).toBeLessThanOrEqual(ANCHOR_CHARS_MAX);
});

test('an anchor that was altered at any place is invalid', () => {
  const anchor = anchors.make(NOW_MS);
  for (let at = 0; at < anchor.length; at += 1)
    for (const other of ['A', 'b', '0', '7', '-', '.'].filter((one) => one !== anchor[at])) {
      const altered = anchor.slice(0, at) + other + anchor.slice(at + 1);
      expect([altered, anchors.madeAtMs(altered)]).toEqual([altered, undefined]);
    }
  for (const altered of [
    '',
    anchor.slice(0, -1),
    `${anchor}A`,
    ` ${anchor}`,
    `${anchor}\n`,
    anchor.toUpperCase(),
    `${anchor}.${anchor}`,
  ])
    expect([altered, anchors.madeAtMs(altered)]).toEqual([altered, undefined]);
});

test('a different spelling of the time or of the MAC is invalid', () => {
  const anchor = anchors.make(5);
  expect(anchors.madeAtMs(anchor.replace('.5.', '.05.'))).toBeUndefined();
  // The last character has two spare bits, so four characters encode the same bytes.
  const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter((last) =>
    Buffer.from(anchor.slice(0, -1).slice(-42) + last, 'base64url').equals(Buffer.from(anchor.slice(-43), 'base64url')),
  );
  expect(spellings).toHaveLength(4);
  expect(spellings.filter((last) => anchors.madeAtMs(anchor.slice(0, -1) + last) !== undefined)).toEqual([anchor.slice(-1)]);
});

test('an anchor from another signer is invalid, even from a clone with the same id', () => {
  const anchor = anchors.make(NOW_MS);
  expect(createAnchors({ signerId: 'sig-two', key }).madeAtMs(anchor)).toBeUndefined();
  expect(createAnchors({ signerId: 'sig-one', key: randomBytes(32) }).madeAtMs(anchor)).toBeUndefined();
});

test('a signer accepts its anchors after a restart, and a different folder has a different key', async () => {
  const [own, other] = [temporaryFolder(), temporaryFolder()];
  const keyIn = async (path: string) => {
    const journal = await openJournal(path);
    await journal.close();
    return Buffer.from(journal.anchorKey);
  };
  const first = await keyIn(own.path);
  expect(await keyIn(own.path)).toEqual(first);
  expect(await keyIn(other.path)).not.toEqual(first);
  for (const folder of [own, other]) folder.remove();
});

test('a signer accepts its anchors after a rotation of the key-encryption key', async () => {
  const folder = temporaryFolder();
  const opened = async (active: number, old: readonly number[]) => {
    const fail = (cause: Error) => {
      throw cause;
    };
    const journal = await openJournalWith({
      stateDir: folder.path,
      kek: createKekRing(kekOf(active), old.map(kekOf)),
      onBroken: fail,
    });
    await journal.close();
    return Buffer.from(journal.anchorKey);
  };
  const before = await opened(7, []);
  expect(await opened(8, [7])).toEqual(before);
  expect(await opened(8, [])).toEqual(before);
  folder.remove();
});

test('the signer makes its anchors by its own clock, and does not store them', async () => {
  const folder = temporaryFolder();
  let nowMs = NOW_MS;
  const signer = await openOperations(folder.path, () => nowMs);
  const { journalEntries, logEntries, signerId } = signer.health();
  const made = [signer.anchor().anchor];
  nowMs += 1;
  made.push(signer.anchor().anchor);
  expect(signer.health()).toMatchObject({ journalEntries, logEntries });
  const own = createAnchors({ signerId, key: signer.journal.anchorKey });
  expect(made.map((one) => own.madeAtMs(one))).toEqual([NOW_MS, NOW_MS + 1]);
  await signer.close();
  folder.remove();
});
