import { MINUTE_MS } from '../../../../domain/durations';
import { type Chartered, HELD_WALLET_ID, openChartered, WALLET_ID } from '../../charters/chartered';
import { NOW_MS, ORG, openOperations, refusedAs } from '../../fixtures';

const WINDOW = 60;
const LIMIT = 2;
const blocked = refusedAs('PolicyBlocked');

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
  const [policy] = office.charter.policies;
  if (!policy) throw new Error('the charter has no policy');
  const rule = { kind: 'TransactionCountVelocity', configuration: { limit: LIMIT, timeframe: WINDOW } } as const;
  await office.adopt({ ...office.charter, policies: [{ ...policy, rule, action: { kind: 'Block' }, filters: null }] });
});
afterEach(() => office.close());

/** The worker claims that each payment is the only payment in its window. */
const attested = (walletId: string, count = 1) => ({
  amountUsdMicro: '0',
  usage: [{ walletId, timeframeMinutes: WINDOW, count, amountUsdMicro: '0' }],
});
type More = { readonly walletId?: string; readonly anchoredMs?: number; readonly count?: number };
function payment({ walletId = WALLET_ID, anchoredMs, count }: More = {}) {
  const signed = anchoredMs === undefined ? {} : { anchor: office.anchorAt(anchoredMs), expiresMs: anchoredMs + MINUTE_MS };
  return { ...office.transfer(office.people.ada, { walletId, ...signed }), attested: attested(walletId, count) };
}
const pay = (more: More = {}) => office.signer.signTransfer(payment(more));

test('a worker that counts too little gets no signature above the limit', async () => {
  for (let signed = 0; signed < LIMIT; signed += 1) await pay();
  await expect(pay()).rejects.toEqual(blocked);
  await expect(pay({ walletId: HELD_WALLET_ID })).resolves.toBeDefined();
});

test('a signature that is requested again counts once', async () => {
  const order = payment();
  for (let again = 0; again < 3; again += 1) await office.signer.signTransfer(order);
  await expect(pay()).resolves.toBeDefined();
  await expect(pay()).rejects.toEqual(blocked);
});

test('the worker’s count applies if it is higher, because it also includes unsigned payments', async () => {
  await expect(pay({ count: LIMIT + 1 })).rejects.toEqual(blocked);
  await expect(pay({ count: LIMIT })).resolves.toBeDefined();
});

test('a request from before the window is not counted in the window, whenever it is signed', async () => {
  const before = NOW_MS - (WINDOW + 1) * MINUTE_MS;
  for (const anchoredMs of [before, NOW_MS, before, NOW_MS]) await pay({ anchoredMs });
  await expect(pay({ anchoredMs: before })).rejects.toEqual(blocked);
  await expect(pay()).rejects.toEqual(blocked);
});

test('signing the latest request first does not raise the number of signed requests in a window', async () => {
  const times = [0, 10, 20].map((minutes) => NOW_MS - minutes * MINUTE_MS);
  const [latest, middle, first] = times.map((anchoredMs) => payment({ anchoredMs }));
  if (!latest || !middle || !first) throw new Error('there are three');
  await office.signer.signTransfer(latest);
  await office.signer.signTransfer(middle);
  await expect(office.signer.signTransfer(first)).rejects.toEqual(blocked);
});

test('each window has its own count, in whatever order the worker lists the windows', async () => {
  const DAY = 1_440;
  const [policy] = office.charter.policies;
  if (!policy) throw new Error('the charter has no policy');
  const limiting = (limit: number, timeframe: number, kind: 'NoAction' | 'Block') => ({
    ...{ ...policy, id: `plc-${timeframe}`, filters: null, action: { kind } },
    rule: { kind: 'TransactionCountVelocity' as const, configuration: { limit, timeframe } },
  });
  const previous = office.signer.listCharters({}).charters[0]?.digest ?? null;
  await office.adopt(office.next({ previous, policies: [limiting(1, WINDOW, 'NoAction'), limiting(LIMIT, DAY, 'Block')] }));
  const paying = (timeframes: readonly number[]) => {
    const before = NOW_MS - (WINDOW + 1) * MINUTE_MS;
    const order = payment({ anchoredMs: before });
    const usage = timeframes.map((timeframeMinutes) => ({
      walletId: WALLET_ID,
      timeframeMinutes,
      count: 1,
      amountUsdMicro: '0',
    }));
    return office.signer.signTransfer({ ...order, attested: { amountUsdMicro: '0', usage } });
  };
  await expect(paying([WINDOW, DAY])).resolves.toBeDefined();
  await expect(paying([DAY, WINDOW])).resolves.toBeDefined();
  for (const timeframes of [
    [WINDOW, DAY],
    [DAY, WINDOW],
  ])
    await expect(paying(timeframes)).rejects.toEqual(blocked);
});

test('more orders at once than the limit allows are signed only up to the limit', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: LIMIT + 3 }, () => pay()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT);
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toEqual(blocked);
});

test('the count is the same after a restart', async () => {
  for (let signed = 0; signed < LIMIT; signed += 1) await pay();
  await office.signer.close();
  const again = await openOperations(office.folder.path, () => NOW_MS, undefined, undefined, office.operatorKey);
  const order = payment();
  await expect(again.signTransfer(order)).rejects.toEqual(blocked);
  expect(again.log.mostAsked({ orgId: ORG, walletId: WALLET_ID, timeframeMinutes: WINDOW, atMs: NOW_MS }, NOW_MS)).toBe(LIMIT);
  await again.close();
});
