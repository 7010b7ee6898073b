import { AMENDMENTS_PER_HOUR_MAX } from '../../../../domain/amendments';
import { HOUR_MS, MINUTE_MS } from '../../../../domain/durations';
import { ASK_AGAIN } from '../../../../signer/wire/refusal-reasons';
import { type Chartered, openChartered, WALLET_ID } from '../../charters/chartered';
import { NOW_MS, refusedAs } from '../../fixtures';
import { amendmentBy, charterNow } from './amending';

let office: Chartered;
beforeEach(async () => {
  office = await openChartered();
  await office.adopt();
});
afterEach(() => office.close());

const signedNow = () => ({ anchor: office.anchorAt(), expiresMs: office.clock.nowMs + 10 * MINUTE_MS });
const tagging = (tag: string) =>
  amendmentBy({
    by: office.people.ada,
    amendment: { kind: 'tagWallet' },
    params: { walletId: WALLET_ID },
    body: { tags: [tag] },
    signed: signedNow(),
  });
const removalOf = ({ userId }: { readonly userId: string }) =>
  amendmentBy({ by: office.people.ada, amendment: { kind: 'deactivateUser' }, params: { userId }, signed: signedNow() });
const tags = () => charterNow(office).wallets.find(({ id }) => id === WALLET_ID)?.tags.length;

/** Makes this many changes, the first of them at the present time and the others a minute later. */
async function fill(count = AMENDMENTS_PER_HOUR_MAX): Promise<void> {
  await office.signer.amendCharter(tagging('first'));
  office.clock.nowMs += MINUTE_MS;
  for (let at = 1; at < count; at += 1) await office.signer.amendCharter(tagging(`tag-${at}`));
}

test('the last change that the hour allows is made, and the next one is refused until exactly an hour after the first change', async () => {
  await fill();
  expect(tags()).toBe(AMENDMENTS_PER_HOUR_MAX);
  const next = tagging('next');
  await expect(office.signer.amendCharter(next)).rejects.toEqual(refusedAs('AmendmentsTooMany'));
  office.clock.nowMs = NOW_MS + HOUR_MS - 1;
  await expect(office.signer.amendCharter(next)).rejects.toEqual(refusedAs('AmendmentsTooMany'));
  expect(tags()).toBe(AMENDMENTS_PER_HOUR_MAX);
  office.clock.nowMs = NOW_MS + HOUR_MS;
  await office.signer.amendCharter(next);
  await expect(office.signer.amendCharter(tagging('one more'))).rejects.toEqual(refusedAs('AmendmentsTooMany'));
  office.clock.nowMs = NOW_MS + MINUTE_MS + HOUR_MS;
  for (let at = 1; at < AMENDMENTS_PER_HOUR_MAX; at += 1) await office.signer.amendCharter(tagging(`later-${at}`));
  expect(tags()).toBe(2 * AMENDMENTS_PER_HOUR_MAX);
});

test('a repeated amendment gets the same reply; refused amendments and amendments without effect do not count toward the limit', async () => {
  await fill(AMENDMENTS_PER_HOUR_MAX - 1);
  const unable = amendmentBy({
    ...{ by: { ...office.people.ada, userId: 'us-unknown' }, amendment: { kind: 'tagWallet' as const } },
    ...{ params: { walletId: WALLET_ID }, body: { tags: ['x'] }, signed: signedNow() },
  });
  await expect(office.signer.amendCharter(unable)).rejects.toEqual(refusedAs('NotInCharter'));
  await office.signer.amendCharter(tagging('first'));
  const last = tagging('last');
  const head = await office.signer.amendCharter(last);
  await expect(office.signer.amendCharter(tagging('next'))).rejects.toEqual(refusedAs('AmendmentsTooMany'));
  expect(await office.signer.amendCharter(last)).toEqual(head);
});

test('many simultaneous changes do not exceed the number that an hour allows', async () => {
  await fill(AMENDMENTS_PER_HOUR_MAX - 2);
  const orders = ['a', 'b', 'c', 'd'].map(tagging);
  const answers = await Promise.allSettled(orders.map((order) => office.signer.amendCharter(order)));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(tags()).toBe(AMENDMENTS_PER_HOUR_MAX);
});

test('removals do not count toward the limit of other changes', async () => {
  await fill();
  const { ben, cyd } = office.people;
  await office.signer.amendCharter(removalOf(ben));
  await office.signer.amendCharter(removalOf(cyd));
  const left = charterNow(office).members.map(({ userId }) => userId);
  expect(left).not.toContain(ben.userId);
  expect(left).not.toContain(cyd.userId);
  await expect(office.signer.amendCharter(tagging('next'))).rejects.toEqual(refusedAs('AmendmentsTooMany'));
});

test('an hour allows only as many removals as other changes', async () => {
  const { ada } = office.people;
  const crowd = Array.from({ length: AMENDMENTS_PER_HOUR_MAX + 1 }, (_none, at) => ({
    ...{ userId: `us-${at}`, hand: `us-${at}`, isServiceAccount: false, credentials: [] },
  }));
  await office.adopt(office.next({ members: [...office.charter.members, ...crowd] }));
  office.clock.nowMs += 1;
  for (const member of crowd.slice(1)) await office.signer.amendCharter(removalOf(member));
  const last = removalOf(crowd[0] ?? ada);
  await expect(office.signer.amendCharter(last)).rejects.toEqual(refusedAs('AmendmentsTooMany'));
  await office.signer.amendCharter(tagging('free'));
  office.clock.nowMs += HOUR_MS;
  await office.signer.amendCharter(last);
  expect(charterNow(office).members).toHaveLength(office.charter.members.length);
});

test('the limit still applies after a restart', async () => {
  await fill();
  await office.signer.close();
  const again = await office.open();
  await expect(again.amendCharter(tagging('next'))).rejects.toEqual(refusedAs('AmendmentsTooMany'));
  await again.close();
});

test('the service retries an amendment that was refused because of the limit', () => {
  expect(ASK_AGAIN.has('AmendmentsTooMany')).toBe(true);
  expect(ASK_AGAIN.has('AmendmentStale')).toBe(false);
});
