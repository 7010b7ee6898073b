import { newSeed, seedUrl, stepOf } from '../../platform/one-time-passwords';
import { codeOf } from '../support/totp';

/** The secret of RFC 6238, appendix B: the ASCII text 12345678901234567890. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const STEP_MS = 30_000;

/** Each code is the last six of the eight digits in the RFC's table for SHA-1. */
test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('at second %i the code from RFC 6238 is %s', (seconds, code, step) => {
  expect(stepOf(SEED, code, seconds * 1_000)).toBe(step);
  expect(codeOf(seedUrl(SEED, 'somebody', 'Strongroom'), seconds * 1_000)).toBe(code);
});

test('a code is valid during its own step, the step before and the step after, and always returns its own step', () => {
  const nowMs = 1_234_567_890_000;
  const own = Math.floor(nowMs / STEP_MS);
  const url = seedUrl(SEED, 'somebody', 'Strongroom');
  for (const steps of [-1, 0, 1]) expect(stepOf(SEED, codeOf(url, nowMs + steps * STEP_MS), nowMs)).toBe(own + steps);
  for (const steps of [-2, 2]) expect(stepOf(SEED, codeOf(url, nowMs + steps * STEP_MS), nowMs)).toBeUndefined();
});

test('the window of a code begins and ends at a step, to the millisecond', () => {
  const beginMs = 41_152_263 * STEP_MS;
  const code = codeOf(seedUrl(SEED, 'somebody', 'Strongroom'), beginMs);
  expect(stepOf(SEED, code, beginMs - STEP_MS)).toBe(41_152_263);
  expect(stepOf(SEED, code, beginMs - STEP_MS - 1)).toBeUndefined();
  expect(stepOf(SEED, code, beginMs + 2 * STEP_MS - 1)).toBe(41_152_263);
  expect(stepOf(SEED, code, beginMs + 2 * STEP_MS)).toBeUndefined();
});

test.each(['28708', '2870822', ' 287082', '287082\n', '２８７０８２', '28708a', '', '000000'])('%j is not a code', (code) => {
  expect(stepOf(SEED, code, 59_000)).toBeUndefined();
});

test('seeds have 160 bits, differ, and are encoded as authenticator apps expect', () => {
  const [first, second] = [newSeed(), newSeed()];
  expect(first).toMatch(/^[A-Z2-7]{32}$/);
  expect(first).not.toBe(second);
  const url = new URL(seedUrl(first, 'ann@example.com', 'Strongroom'));
  expect(url.protocol + url.host).toBe('otpauth:totp');
  expect(decodeURIComponent(url.pathname)).toBe('/Strongroom:ann@example.com');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Strongroom',
    secret: first,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
