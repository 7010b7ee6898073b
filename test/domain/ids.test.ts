import { formatId, ID_PREFIXES, type IdKind, isId } from '../../domain/ids';

const ULID = '01jd3k5m7n9p1r3t5v7x9z0b2d';
const KINDS = Object.keys(ID_PREFIXES) as IdKind[];

/** Both kinds have the same published prefix. No row stores the id of an application, so a query never finds the wrong kind. */
const SHARING: readonly IdKind[] = ['application', 'approval'];

test.each(KINDS)('an id of a %s has the published form and is recognised only as this kind', (kind) => {
  const id = formatId(kind, ULID);
  expect(id).toBe(`${ID_PREFIXES[kind]}-01jd3-k5m7n-9p1r3t5v7x9z0b2d`);
  expect(KINDS.filter((other) => isId(other, id))).toEqual(SHARING.includes(kind) ? SHARING : [kind]);
});

test('no other two kinds share a prefix', () => {
  const others = KINDS.filter((kind) => !SHARING.includes(kind)).map((kind) => ID_PREFIXES[kind]);
  expect(new Set([...others, 'ap']).size).toBe(others.length + 1);
});

test('the last part of an id has 14 to 16 characters', () => {
  const withLast = (length: number) => isId('wallet', `wa-01jd3-k5m7n-${'a'.repeat(length)}`);
  expect([13, 14, 15, 16, 17].map(withLast)).toEqual([false, true, true, true, false]);
});

test.each([
  'WA-01jd3-k5m7n-9p1r3t5v7x9z0b2d',
  'wa-01JD3-k5m7n-9p1r3t5v7x9z0b2d',
  'wa-01jd3-k5m7n-9p1r3t5v7x9z0b2d\n',
  ' wa-01jd3-k5m7n-9p1r3t5v7x9z0b2d',
  'wa-01jd-k5m7n-9p1r3t5v7x9z0b2d',
  'wa-01jd3-k5m7n',
  '',
])('%j is not the id of a wallet', (text) => {
  expect(isId('wallet', text)).toBe(false);
});
