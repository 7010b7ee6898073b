import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { open as openHandle, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { readBatches, sealedText } from '../../../../signer/record/journal/chained-lines';
import { type Entry, isKnownEntry } from '../../../../signer/record/journal/entries';
import type { Fence, Journal } from '../../../../signer/record/journal/journal';
import { openJournal } from '../../../../signer/record/journal/open-journal';
import { SealedStore } from '../../../../signer/record/journal/sealed-store';
import { flippedHex } from '../../../support/flipped-hex';
import { kekOf, temporaryFolder } from '../../fixtures';

const temporary = temporaryFolder();
let stateDir: string;
let count = 0;
beforeEach(() => {
  count += 1;
  stateDir = join(temporary.path, `state-${count}`);
});
afterAll(temporary.remove);

const segment = (number = 1) => join(stateDir, `journal-${String(number).padStart(6, '0')}.jsonl`);
const open = async (fence?: Fence, onBroken: (cause: Error) => void = () => undefined) => {
  mkdirSync(stateDir, { recursive: true });
  return openJournal({ stateDir, kek: kekOf(7), onBroken, fence });
};
const entry = (requestId: string): Entry => ({ kind: 'Withdrawn', orgId: 'or-a', requestId });
const has = ({ index }: Journal, requestId: string) => index.get(`withdrawn/or-a/${requestId}`) === true;
const known = (journal: Journal, ...ids: readonly string[]) => ids.filter((id) => has(journal, id));
const withoutIndex = async () => {
  for (const name of readdirSync(stateDir)) if (name.startsWith('index-')) await rm(join(stateDir, name), { recursive: true });
};
async function write(...ids: readonly string[]) {
  const journal = await open();
  await Promise.all(ids.map((id) => journal.append(entry(id))));
  await journal.close();
}
const takeover: Fence = { mustCopy: true, assertHeld: () => undefined };

test('entries are known after each opening, with or without the index, and only the owner can read the files', async () => {
  await write('1', '2');
  await write('3');
  const journal = await open();
  expect(known(journal, '1', '2', '3', '4')).toEqual(['1', '2', '3']);
  await journal.close();
  await withoutIndex();
  const again = await open();
  expect(known(again, '1', '2', '3', '4')).toEqual(['1', '2', '3']);
  await again.close();
  expect(statSync(segment()).mode & 0o777).toBe(0o600);
  expect(statSync(join(stateDir, 'journal-key.json')).mode & 0o777).toBe(0o600);
});

test('an entry takes effect at once, and is in the file when its promise resolves', async () => {
  const journal = await open();
  const durable = journal.append(entry('here'));
  expect(has(journal, 'here')).toBe(true);
  await durable;
  expect(readFileSync(segment(), 'utf8')).toContain('"here"');
  await journal.close();
});

test('a caller that does not append can wait for the entries of other callers', async () => {
  const journal = await open();
  let isDurable = false;
  const durable = journal.append(entry('1')).then(() => journal.append(entry('2')));
  void durable.then(() => {
    isDurable = true;
  });
  await journal.settled();
  await journal.settled();
  await durable;
  expect(isDurable).toBe(true);
  await journal.settled();
  await journal.close();
});

test('no entry is lost if a crash comes before the index reached the disk', async () => {
  const journal = await open();
  await journal.append(entry('1'));
  const copy = readFileSync(segment());
  await journal.close();
  await withoutIndex();
  await write('2');
  // The journal still begins with the earlier lines.
  expect(readFileSync(segment()).subarray(0, copy.length)).toEqual(copy);
  const again = await open();
  expect(known(again, '1', '2')).toEqual(['1', '2']);
  await again.close();
});

test('a batch torn at any byte is cut off, and the journal continues after the last whole batch', async () => {
  await write('1');
  const whole = statSync(segment()).size;
  await write('2');
  const text = readFileSync(segment());
  for (let end = whole + 1; end < text.length; end += 7) {
    await withoutIndex();
    writeFileSync(segment(), text.subarray(0, end));
    const journal = await open();
    expect(known(journal, '1', '2')).toEqual(['1']);
    expect(journal.tornBytes).toBe(end - whole);
    await journal.append(entry('after'));
    await journal.close();
    const again = await open();
    expect(known(again, '1', '2', 'after')).toEqual(['1', 'after']);
    expect(again.tornBytes).toBe(0);
    await again.close();
  }
});

test('zeros that a crash left at the end are cut off', async () => {
  await write('1');
  appendFileSync(segment(), Buffer.alloc(100));
  const journal = await open();
  expect(journal.tornBytes).toBe(100);
  await journal.close();
});

type Alter = (lines: string[]) => string[];
const changed: Alter = (lines) => lines.map((line) => line.replace('"requestId":"2"', '"requestId":"9"'));
const ALTERED: readonly [string, Alter][] = [
  ['a changed entry', changed],
  ['a removed line', (lines) => lines.filter((line) => !line.includes('"requestId":"2"'))],
  [
    'two lines in the wrong order',
    (lines) => [...lines.slice(0, 2), lines[4] ?? '', lines[3] ?? '', lines[2] ?? '', ...lines.slice(5)],
  ],
  ['a duplicated line', (lines) => [lines[0] ?? '', ...lines]],
  ['a last line that is whole but wrong', (lines) => [...lines, `${'0'.repeat(64)} {"kind":"Withdrawn"}`]],
  ['an attachment that belongs to another entry', ([heading = '', ...lines]) => [heading, '+ {"a":1}', ...lines]],
];
test.each(ALTERED)(
  'with %s in the journal, a start without the index fails, and the error states the line',
  async (_what, alter) => {
    await write('1');
    await write('2');
    await write('3');
    writeFileSync(segment(), `${alter(readFileSync(segment(), 'utf8').trimEnd().split('\n')).join('\n')}\n`);
    await withoutIndex();
    await expect(open()).rejects.toThrow(/altered or damaged at line \d/);
  },
);

test('lines whose seal was made without the key are refused', async () => {
  await write('1');
  const ours = readFileSync(segment());
  const last = ours.toString('utf8').trimEnd().split('\n').at(-1)?.slice(0, 64) ?? '';
  const forged = sealedText(Buffer.alloc(32, 9), [{ json: JSON.stringify(entry('forged')) }], last);
  appendFileSync(segment(), forged.text);
  await expect(open()).rejects.toThrow(/altered or damaged at line 2 after byte \d+/);
});

test('an entry that was removed from the index is known again after the next start', async () => {
  await write('1', '2');
  const [index = ''] = readdirSync(stateDir).filter((name) => name.startsWith('index-'));
  const level = new ClassicLevel(join(stateDir, index));
  await level.del('withdrawn/or-a/1');
  await level.close();
  const journal = await open();
  expect(known(journal, '1', '2')).toEqual(['1', '2']);
  await journal.close();
});

test('an older copy of the journal is refused if the index is newer', async () => {
  await write('1');
  const older = readFileSync(segment());
  await write('2');
  writeFileSync(segment(), older);
  await expect(open()).rejects.toThrow(/lacks lines that its index has/);
});

test('an entry of a later release is refused', async () => {
  const journal = await open();
  const later: { kind: string } = { kind: 'Levitated' };
  await expect(async () => journal.append(later as Entry)).rejects.toThrow();
  await journal.close();
  expect([isKnownEntry(later), isKnownEntry({ kind: 'toString' }), isKnownEntry(entry('1'))]).toEqual([false, false, true]);
});

test('without its key, or with the key of another deployment, the journal does not open', async () => {
  await write('1');
  const key = readFileSync(join(stateDir, 'journal-key.json'));
  await expect(openJournal({ stateDir, kek: kekOf(8), onBroken: () => undefined })).rejects.toThrow(/does not open under/);
  const sealed = JSON.parse(key.toString('utf8'));
  writeFileSync(join(stateDir, 'journal-key.json'), JSON.stringify({ ...sealed, wrappedHex: flippedHex(sealed.wrappedHex, 0) }));
  await expect(open()).rejects.toThrow(/does not open under kek-/);
  await rm(join(stateDir, 'journal-key.json'));
  await expect(open()).rejects.toThrow(/journal-key\.json is missing/);
  writeFileSync(join(stateDir, 'journal-key.json'), '{}');
  await expect(open()).rejects.toThrow(/does not contain the key of the journal/);
  writeFileSync(join(stateDir, 'journal-key.json'), key);
  await (await open()).close();
});

test('after a failed write the journal never acknowledges another entry', async () => {
  const causes: Error[] = [];
  let isHeld = true;
  const assertHeld = () => {
    if (!isHeld) throw new Error('succeeded');
  };
  const journal = await open({ mustCopy: false, assertHeld }, (cause) => causes.push(cause));
  await journal.append(entry('1'));
  isHeld = false;
  const outcomes = await Promise.allSettled([journal.append(entry('2')), journal.append(entry('3'))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isHeld = true;
  await expect(journal.append(entry('4'))).rejects.toThrow('succeeded');
  await expect(journal.settled()).rejects.toThrow('succeeded');
  expect(causes).toHaveLength(1);
  await journal.close();
});

test('after one failed sync the journal writes no more entries, even if the medium works again', async () => {
  const journal = await open();
  const probe = await openHandle(segment(), 'r');
  // Both handles share a prototype, so the next sync fails as on a faulty medium, and later syncs succeed.
  const sync = jest.spyOn(Object.getPrototypeOf(probe), 'datasync').mockRejectedValueOnce(new Error('EIO'));
  await probe.close();
  const outcomes = await Promise.allSettled([journal.append(entry('1')), journal.append(entry('2'))]);
  sync.mockRestore();
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(readFileSync(segment(), 'utf8')).not.toContain('"requestId":"2"');
  await journal.close();
});

test('an entry that the index could store only in part stops the journal, and is not in the index after a restart', async () => {
  const causes: Error[] = [];
  const journal = await open(undefined, (cause) => causes.push(cause));
  const signed = { requestId: 'r', orgId: 'or-a', keyId: 'k', intentDigest: '1', payloadDigest: '2', claim: 'c' };
  const half: Entry = { kind: 'Signed', signed, result: { digestHex: '0x', signatures: [] } };
  const get = jest.spyOn(SealedStore.prototype, 'get').mockImplementation((name) => {
    if (name.startsWith('claim/')) throw new Error('EIO');
    return undefined;
  });
  await expect(journal.append(half)).rejects.toThrow('EIO');
  get.mockRestore();
  await expect(journal.append(entry('1'))).rejects.toThrow('EIO');
  await expect(journal.settled()).rejects.toThrow('EIO');
  await journal.close();
  expect(causes).toHaveLength(1);
  const again = await open();
  expect(again.index.get('request/or-a/r')).toBeUndefined();
  await again.close();
});

test('reading ends at the given last line, even if it begins there and further lines follow', async () => {
  await write('1');
  const { last, size } = {
    last: readFileSync(segment(), 'utf8').trimEnd().split('\n').at(-1)?.slice(0, 64) ?? '',
    size: statSync(segment()).size,
  };
  appendFileSync(segment(), 'late lines of an earlier holder\n');
  const from = { last, offsetBytes: size };
  expect(await readBatches(segment(), { from, until: last }, () => fail('visited'))).toEqual(from);
});

test('a folder without its last segment is refused, because its index is ahead of the journal', async () => {
  await write('1');
  const journal = await open(takeover);
  await journal.append(entry('2'));
  await journal.close();
  await rm(segment(2));
  await expect(open()).rejects.toThrow(/lacks a file of the journal/);
});

test('only files that a crash left half removed or half written are removed', async () => {
  await write('1');
  mkdirSync(join(stateDir, 'index-1.2.old'));
  writeFileSync(join(stateDir, 'index-1.2.old', 'CURRENT'), '');
  writeFileSync(join(stateDir, 'journal-000002.jsonl.x.new'), '');
  writeFileSync(join(stateDir, 'frozen'), '');
  const before = readdirSync(stateDir).filter((name) => !/\.(old|new)$/.test(name));
  await (await open()).close();
  expect(readdirSync(stateDir).sort()).toEqual(before.sort());
});

describe('a takeover', () => {
  const nearby: Fence = { ...takeover, isSameMachine: true };
  const indexNames = () => readdirSync(stateDir).filter((name) => name.startsWith('index-'));

  test('from an ended process on the same machine inherits its index, under a new name', async () => {
    await write('1');
    const [before = ''] = indexNames();
    // LevelDB never touches this file, so the file shows which folder is used.
    writeFileSync(join(stateDir, before, 'trace'), '');
    const journal = await open(nearby);
    await journal.append(entry('2'));
    await journal.close();
    const [after = '', ...others] = indexNames();
    expect([after === before, others, readdirSync(join(stateDir, after)).includes('trace')]).toEqual([false, [], true]);
    const again = await open();
    expect(known(again, '1', '2')).toEqual(['1', '2']);
    await again.close();
  });

  test('makes a new index if the earlier holder still has the old index open or is on another machine', async () => {
    const earlier = await open();
    await earlier.append(entry('1'));
    await earlier.index.flushed();
    const successor = await open(nearby);
    await successor.append(entry('2'));
    await successor.index.flushed();
    await earlier.append(entry('late'));
    await Promise.all([earlier.close().catch(() => undefined), successor.close()]);
    const [name = ''] = indexNames();
    writeFileSync(join(stateDir, name, 'trace'), '');
    const elsewhere = await open(takeover);
    expect(known(elsewhere, '1', '2', 'late')).toEqual(['1', '2']);
    await elsewhere.close();
    expect(readdirSync(join(stateDir, indexNames()[0] ?? '')).includes('trace')).toBe(false);
  });

  test('begins a new segment and a new index, and later writes of the earlier holder are ignored', async () => {
    const earlier = await open();
    await earlier.append(entry('1'));
    const successor = await open(takeover);
    await earlier.append(entry('late'));
    await successor.append(entry('2'));
    await earlier.append(entry('later'));
    await successor.close();
    const names = readdirSync(stateDir).map((name) => name.replace(/^index-.*/, 'index'));
    expect(names.sort()).toEqual(['index', 'journal-000001.jsonl', 'journal-000002.jsonl', 'journal-key.json']);
    for (const restarted of [() => undefined, withoutIndex]) {
      await restarted();
      const journal = await open();
      expect(known(journal, '1', '2', 'late', 'later')).toEqual(['1', '2']);
      await journal.close();
    }
  });

  test('is repeated if a crash interrupted it before the new segment was made', async () => {
    await write('1');
    const first = await open(takeover);
    await first.append(entry('2'));
    await first.close();
    // The state before the segment was made: no index has read the segment.
    await rm(segment(2));
    await withoutIndex();
    const second = await open(takeover);
    expect(known(second, '1', '2')).toEqual(['1']);
    await second.close();
  });

  test('of a folder that lacks a segment is refused', async () => {
    await write('1');
    for (const id of ['2', '3']) {
      const journal = await open(takeover);
      await journal.append(entry(id));
      await journal.close();
    }
    await rm(segment(2));
    await withoutIndex();
    await expect(open()).rejects.toThrow(/lacks a file of the journal/);
  });

  test('stops the earlier holder, which then writes no more and does not confirm a write that the takeover interrupted', async () => {
    for (const checksThatHold of [0, 1]) {
      let checks = 0;
      const causes: Error[] = [];
      const assertHeld = () => {
        checks += 1;
        if (checks > checksThatHold) throw new Error('succeeded');
      };
      const journal = await open({ mustCopy: false, assertHeld }, (cause) => causes.push(cause));
      const id = `n-${checksThatHold}`;
      await expect(journal.append(entry(id))).rejects.toThrow('succeeded');
      await expect(journal.append(entry('more'))).rejects.toThrow('succeeded');
      await journal.close();
      expect(causes).toHaveLength(1);
      expect(readFileSync(segment(), 'utf8').includes(id)).toBe(checksThatHold === 1);
    }
  });
});
