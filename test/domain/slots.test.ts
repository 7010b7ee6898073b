import { absent, inSlot, isAbsent, recognisedBy } from '../../domain/slots';

const FAMILIES = ['first', 'second'] as const;
const MUTE = absent('The second cannot tell');
const isWord = (word: string) => (text: string) => text === word;

test('an empty slot gives its reason to the code that needs its content', () => {
  expect(() => inSlot(MUTE)).toThrow(expect.objectContaining({ code: 'AssetNotSupported', message: MUTE.why }));
  expect(inSlot('able')).toBe('able');
  expect([isAbsent(MUTE), isAbsent(null), isAbsent({ able: 1 })]).toEqual([true, false, false]);
});

test('a text is recognised if one of the families recognises it, and otherwise not', () => {
  const slots = { first: isWord('one'), second: isWord('two') };
  const found = (text: string) =>
    recognisedBy(
      FAMILIES,
      (family) => slots[family],
      (is) => is(text),
    );
  expect([found('one'), found('two'), found('three')]).toEqual([slots.first, slots.second, undefined]);
});

test('a family that cannot check a text is never skipped: its empty slot is the result', () => {
  const slots = { first: isWord('one'), second: MUTE };
  const found = (text: string) =>
    recognisedBy(
      FAMILIES,
      (family) => slots[family],
      (is) => is(text),
    );
  expect([found('one'), found('three')]).toEqual([slots.first, MUTE]);
});
