import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { canonical, digestOf } from '../../platform/canonical';

test('the string example of RFC 8785, section 3.2.2, has the bytes of the RFC', () => {
  const value = {
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  expect(canonical(value)).toBe(String.raw`{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}`);
});

test('keys are sorted by UTF-16 units as in RFC 8785, section 3.2.3', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const order = [...canonical(value).matchAll(/:"([^"]+)"/g)].map(([, words]) => words);
  expect(order).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
});

test('an array keeps its order, members are sorted, and no other characters are added', () => {
  expect(canonical({ b: [2, 1, { d: null, c: '' }], a: {} })).toBe('{"a":{},"b":[2,1,{"c":"","d":null}]}');
});

test('the digest is SHA-256 over the UTF-8 bytes', () => {
  const sha256 = (text: string) => createHash('sha256').update(Buffer.from(text, 'utf8')).digest('hex');
  expect(digestOf({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  expect(digestOf({ ö: '€' })).toBe(sha256('{"ö":"€"}'));
});

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const turned = (value: Json): Json => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => turned(item));
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, turned(item)]),
  );
};

test('the order of the written members is ignored, and the text reads back as the same value', () => {
  fc.assert(
    fc.property(tree, (value) => {
      expect(canonical(turned(value))).toBe(canonical(value));
      expect(JSON.parse(canonical(value))).toEqual(value);
    }),
  );
});

test('two values share a text exactly when they are equal', () => {
  fc.assert(
    fc.property(tree, tree, (a, b) => {
      expect(canonical(a) === canonical(b)).toBe(isDeepStrictEqual(a, b));
    }),
  );
  const alike: Json[] = [
    '1',
    1,
    ['1'],
    [1],
    { '1': 1 },
    '[1]',
    '{"1":1}',
    '',
    [],
    {},
    null,
    'null',
    false,
    'a","b',
    ['a', 'b'],
    { a: 'b' },
  ];
  expect(new Set(alike.map((value) => canonical(value))).size).toBe(alike.length);
});
