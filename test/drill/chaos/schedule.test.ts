import { CHAOS_NETWORKS, type Deed, OFFLINE_WALLETS, scheduleOf, WALLETS_PER_NETWORK } from '../../../drill/chaos/schedule';

const options = { seed: 'a', minutes: 10, transfers: 500, networks: CHAOS_NETWORKS };
const run = scheduleOf(options);

test('the same seed gives the same run, and another seed gives another run', () => {
  expect(scheduleOf({ ...options })).toEqual(run);
  const other = scheduleOf({ ...options, seed: 'b' });
  expect(other.deeds).not.toEqual(run.deeds);
  expect(other.wishes.map(({ atMs }) => atMs)).not.toEqual(run.wishes.map(({ atMs }) => atMs));
});

test('a run of ten minutes kills every part, gives every network a fault, and ends all of them in time', () => {
  expect(new Set(run.deeds.flatMap((deed) => (deed.kind === 'kill' ? [deed.victim] : []))).size).toBe(4);
  expect(new Set(run.deeds.flatMap((deed) => (deed.kind === 'lie' ? [deed.network] : [])))).toEqual(new Set(CHAOS_NETWORKS));
  expect(run.deeds.length).toBeGreaterThan(60);
  expect(Math.max(...run.deeds.map(({ atMs, forMs }) => atMs + forMs))).toBeLessThan(600_000);
});

test('no part is killed while it is down, and no control is set while it is already set', () => {
  const what = (deed: Deed) => (deed.kind === 'kill' ? deed.victim : `${deed.network} ${deed.lie.method}`);
  const overlapping = run.deeds.filter((deed, index) =>
    run.deeds.slice(0, index).some((before) => what(before) === what(deed) && before.atMs + before.forMs > deed.atMs),
  );
  expect(overlapping).toEqual([]);
});

test('every transfer has its own recipient and external id, and one wallet sends about half of them', () => {
  expect(run.wishes).toHaveLength(500);
  expect(new Set(run.wishes.map(({ recipient }) => Buffer.from(recipient).toString('hex'))).size).toBe(500);
  expect(new Set(run.wishes.map(({ externalId }) => externalId)).size).toBe(500);
  expect(run.wishes.filter(({ wallet }) => wallet === 0).length).toBeGreaterThan(200);
});

test('about a fifth of the transfers on the EVM chain are from the wallets of the offline store, and no other transfer is', () => {
  const offline = run.wishes.filter(({ wallet }) => wallet >= WALLETS_PER_NETWORK);
  const evm = run.wishes.filter(({ network }) => network === CHAOS_NETWORKS[0]);
  expect(new Set(offline.map(({ network }) => network))).toEqual(new Set([CHAOS_NETWORKS[0]]));
  expect(new Set(offline.map(({ wallet }) => wallet - WALLETS_PER_NETWORK)).size).toBe(OFFLINE_WALLETS);
  expect(offline.length / evm.length).toBeGreaterThan(0.1);
  expect(offline.length / evm.length).toBeLessThan(0.3);
});
