import { createCodeDigest, newCode } from '../../platform/one-time-codes';

const digest = createCodeDigest(Buffer.alloc(32, 1));

test('a code is three groups of three from an alphabet without letters that look like digits', () => {
  const codes = Array.from({ length: 2_000 }, newCode);
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{3}-){2}[0-9A-HJKMNP-TV-Z]{3}$/);
  expect(new Set(codes).size).toBe(codes.length);
  // Each position of a code uses all 32 characters.
  for (let place = 0; place < 11; place += 1) {
    expect(new Set(codes.map((code) => code[place])).size).toBe(place % 4 === 3 ? 1 : 32);
  }
});

test.each(['abc-def-ghj', 'ABCDEFGHJ', 'abc def ghj', ' ABC–DEF—GHJ ', 'a.b.c.d.e.f.g.h.j'])(
  '%j is ABC-DEF-GHJ as people type it',
  (typed) => {
    expect(digest(typed, 'somebody')).toBe(digest('ABC-DEF-GHJ', 'somebody'));
  },
);

test('a different code, context or key gives a different digest', () => {
  const own = digest('ABC-DEF-GHJ', 'or-1/us-1/Login');
  expect(own).toMatch(/^[0-9a-f]{64}$/);
  expect([
    digest('ABC-DEF-GHK', 'or-1/us-1/Login'),
    digest('ABC-DEF-GHJ', 'or-1/us-2/Login'),
    digest('ABC-DEF-GHJ', 'or-1/us-1/Recovery'),
    createCodeDigest(Buffer.alloc(32, 2))('ABC-DEF-GHJ', 'or-1/us-1/Login'),
  ]).not.toContain(own);
});
