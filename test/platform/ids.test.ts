import { ID_PREFIXES, type IdKind, isId } from '../../domain/ids';
import { newId } from '../../platform/ids';

const ulidOf = (id: string) => id.split('-').slice(1).join('');
/** Crockford's alphabet in lower case, without i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const millisecondsOf = (id: string) =>
  [...ulidOf(id).slice(0, 10)].reduce((ms, letter) => ms * ALPHABET.length + ALPHABET.indexOf(letter), 0);

afterEach(() => jest.restoreAllMocks());

test('a new id has the published format of its kind and all 26 characters of a ULID', () => {
  for (const kind of Object.keys(ID_PREFIXES) as IdKind[]) {
    const id = newId(kind);
    expect(isId(kind, id)).toBe(true);
    expect(ulidOf(id)).toMatch(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  }
});

test('ids sort as text in the order of their creation, even thousands in one millisecond', () => {
  const ids = Array.from({ length: 50_000 }, () => newId('event'));
  expect(ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''))).toBe(true);
  expect(new Set(ids.map(millisecondsOf)).size).toBeLessThan(ids.length / 10);
});

test('ids begin with the millisecond of their creation', () => {
  const before = Date.now();
  const made = millisecondsOf(newId('event'));
  expect(made).toBeGreaterThanOrEqual(before);
  expect(made).toBeLessThanOrEqual(Date.now());
});

test('a new id sorts after all earlier ids, even after the clock was set back', () => {
  const clock = jest.spyOn(Date, 'now');
  const start = Date.now() + 10_000;
  clock.mockReturnValue(start);
  const first = newId('event');
  clock.mockReturnValue(start - 60_000);
  const [second, third] = [newId('event'), newId('event')];
  clock.mockReturnValue(start + 1);
  const fourth = newId('event');
  expect([fourth, third, second, first].sort()).toEqual([first, second, third, fourth]);
});
