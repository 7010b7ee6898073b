import fc from 'fast-check';
import { parseStrictJson } from '../../platform/strict-json';

const parse = (text: string | Uint8Array) => parseStrictJson(Buffer.from(text));
const faultOf = (text: string | Uint8Array) => {
  const result = parse(text);
  return result.ok ? undefined : result.fault;
};

test('the output of JSON.stringify for clean values is read back unchanged', () => {
  const clean = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000') && text !== '__proto__');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      clean,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(clean, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
      expect(parse(JSON.stringify(value, undefined, indent))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) });
    }),
  );
});

test('a member that appears twice in one object is refused, but the same name in two objects is not', () => {
  expect(faultOf('{"a":1,"a":2}')).toEqual({ path: 'a', message: 'must not appear twice' });
  expect(faultOf('{"a":1,"\\u0061" \n\t: 2}')).toEqual({ path: 'a', message: 'must not appear twice' });
  expect(faultOf('[{"b":{"a":1,"a":{}}}]')).toEqual({ path: 'a', message: 'must not appear twice' });
  expect(parse('{"a":{"a":1},"b":[{"a":1},{"a":"a"}]}').ok).toBe(true);
  expect(parse('{"a":"\\"a\\":","b":"a"}').ok).toBe(true);
});

test('the depth is limited to 32 levels, and the length is not limited', () => {
  expect(parse(`${'['.repeat(32)}${']'.repeat(32)}`).ok).toBe(true);
  expect(faultOf(`${'['.repeat(33)}${']'.repeat(33)}`)?.message).toMatch(/32 levels/);
  expect(parse(JSON.stringify({ a: '\\"'.repeat(250_000) })).ok).toBe(true);
});

test('text that a database cannot store or a signature cannot cover is refused with its path', () => {
  expect(faultOf('{"a":[{"b":"x\\u0000"}]}')).toEqual({ path: 'a.0.b', message: 'must not contain a zero character' });
  expect(faultOf('{"a":"\\ud800"}')).toEqual({ path: 'a', message: 'must be well-formed Unicode' });
  expect(faultOf('{"\\udc00":1}')?.message).toBe('must be well-formed Unicode');
  expect(parse('{"a":"\\ud83d\\ude00"}').ok).toBe(true);
  expect(faultOf(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))?.message).toMatch(/UTF-8/);
});

test('__proto__ is refused and does not change any prototype', () => {
  expect(faultOf('{"a":{"__proto__":{"admin":true}}}')).toEqual({ path: 'a.__proto__', message: 'unknown field' });
  expect(Object.prototype).not.toHaveProperty('admin');
});
