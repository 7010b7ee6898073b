import crypto from 'node:crypto';
import { freePort, keepPort } from '../../local/free-port';

const SPOKEN_FOR_MS = 120_000;
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('no port is handed out twice among many that are requested before any is used', async () => {
  const ports = new Set<number>();
  for (let count = 1; count <= 600; count += 1) expect(ports.add(await freePort()).size).toBe(count);
});

test('a port is handed out again after two minutes, and a reserved port after the reserved time', async () => {
  const [port, kept] = [await freePort(), await freePort()];
  keepPort(kept, 2 * SPOKEN_FOR_MS);
  const start = Date.now();
  const isGivenAfter = async (ms: number, wanted: number) => {
    jest.useFakeTimers({ now: start + ms, doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'] });
    jest.spyOn(crypto, 'randomInt').mockImplementationOnce(() => wanted as never);
    return (await freePort()) === wanted;
  };
  expect(await isGivenAfter(SPOKEN_FOR_MS - 1_000, port)).toBe(false);
  expect(await isGivenAfter(3 * SPOKEN_FOR_MS - 1_000, kept)).toBe(false);
  expect(await isGivenAfter(SPOKEN_FOR_MS + 1_000, port)).toBe(true);
  expect(await isGivenAfter(3 * SPOKEN_FOR_MS + 1_000, kept)).toBe(true);
});
