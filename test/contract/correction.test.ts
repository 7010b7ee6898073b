import { sha256Hex } from '../../platform/digests';
import { corrected } from './correction';
import { factsFile } from './facts';
import { OVERLAY } from './overlay';

const document = { paths: { '/a': { get: { callers: [] } } }, list: [1] };
const correction = (at: string, value: unknown) => corrected(document, [{ at, value, reason: 'a test' }]);

test('the file of facts has not changed since its extraction, because each correction is a line of the overlay', () => {
  const { origin, ...facts } = factsFile;
  expect(sha256Hex(JSON.stringify(facts))).toBe(origin['sha256']);
  expect(origin).toMatchObject({ client: '0.8.21', document: '1.578.2', copied: expect.any(String), how: expect.any(String) });
});

test('a correction sets one value in a copy, and leaves all other values and the original unchanged', () => {
  expect(correction('/paths/~1a/get/callers', ['EndUser'])).toEqual({
    paths: { '/a': { get: { callers: ['EndUser'] } } },
    list: [1],
  });
  expect(correction('/schemas', {})).toEqual({ ...document, schemas: {} });
  expect(document.paths['/a'].get.callers).toEqual([]);
});

test('a correction that the facts no longer need, or whose path does not exist, is refused', () => {
  expect(() => correction('/paths/~1a/get/callers', [])).toThrow('/paths/~1a/get/callers already has this value');
  expect(() => correction('/paths/~1b/get/callers', [])).toThrow('/paths/~1b/get/callers leads nowhere');
  expect(() => correction('/list/0', 2)).toThrow('/list/0 leads nowhere');
});

test('every correction has a reason, and no two corrections have the same path', () => {
  const places = OVERLAY.map(({ at }) => at);
  expect(places).toEqual([...new Set(places)]);
  expect(OVERLAY.filter(({ reason }) => reason.length < 20)).toEqual([]);
});
