import { randomBytes } from 'node:crypto';
import type { Charter } from '../../../../signer/charters/charter';
import { createAnchors } from '../../../../signer/record/anchors';
import { actionOf, type Chartered, HELD_WALLET_ID, openChartered, voteOf } from '../../charters/chartered';
import { NOW_MS, ORG, refusedAs } from '../../fixtures';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MONTH_MS = 30 * DAY_MS;
/** One minute for the age of the anchor, ten for signing and using the action, and one for a difference of the clocks. */
const USED_WITHIN_MS = 12 * MINUTE_MS;

let office: Chartered;
beforeAll(async () => {
  office = await openChartered();
  await office.adopt();
});
afterAll(() => office.close());

/** The anchor and expiry of an action that was announced and signed at that time. */
const signedBefore = (ageMs: number, { anchorAt } = office) => ({
  anchor: anchorAt(NOW_MS - ageMs),
  expiresMs: NOW_MS - ageMs + 10 * MINUTE_MS,
});
const free = (signed: Parameters<Chartered['transfer']>[1]) => {
  const { signer, transfer, people } = office;
  return signer.signTransfer(transfer(people.ada, signed));
};
type Ages = { readonly asked?: number; readonly ben?: number; readonly cyd?: number };
const held = (ages: Ages, at = office) => {
  const { signer, transfer, approved, people } = at;
  const { asked = 0, ben = 0, cyd = 0 } = ages;
  const order = transfer(people.ada, { walletId: HELD_WALLET_ID, ...signedBefore(asked, at) });
  const { approval } = approved(order, []);
  const votes = [voteOf(people.ben, approval, 'Approved', signedBefore(ben, at))];
  votes.push(voteOf(people.cyd, approval, 'Approved', signedBefore(cyd, at)));
  return signer.signTransfer({ ...order, evidence: [...order.evidence, approval, ...votes] });
};

test('an order that no policy holds is signed until a day after the request, and not a millisecond later', async () => {
  await expect(free(signedBefore(DAY_MS))).resolves.toBeDefined();
  await expect(free(signedBefore(DAY_MS + 1))).rejects.toEqual(refusedAs('ActionTooOld'));
});

test('a held order is signed until 30 days after the request and each vote, and not a millisecond later', async () => {
  await expect(held({ asked: MONTH_MS, ben: MONTH_MS, cyd: MONTH_MS })).resolves.toBeDefined();
  await expect(held({ asked: MONTH_MS + 1 })).rejects.toEqual(refusedAs('ActionTooOld'));
  await expect(held({ asked: MONTH_MS, ben: MONTH_MS + 1 })).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(held({ asked: MONTH_MS, cyd: MONTH_MS + 1 })).rejects.toEqual(refusedAs('VotesMissing'));
});

describe('with time-outs', () => {
  const withTimeouts = (charter: Charter, timeouts: readonly (number | null)[]): Charter => ({
    ...charter,
    policies: timeouts.flatMap((autoRejectTimeout, at) =>
      charter.policies.map((policy) =>
        policy.action.kind === 'RequestApproval'
          ? { ...policy, id: at === 0 ? policy.id : `plc-${at}`, action: { ...policy.action, autoRejectTimeout } }
          : policy,
      ),
    ),
  });
  let timed: Chartered;
  beforeEach(async () => {
    timed = await openChartered();
  });
  afterEach(() => timed.close());

  test('the time-out of the policy replaces the 30 days, and begins when the request could last be used', async () => {
    await timed.adopt(withTimeouts(timed.charter, [60]));
    const latest = 60 * MINUTE_MS + USED_WITHIN_MS;
    await expect(held({ asked: latest, ben: latest, cyd: latest }, timed)).resolves.toBeDefined();
    await expect(held({ asked: latest + 1 }, timed)).rejects.toEqual(refusedAs('ActionTooOld'));
    await expect(held({ asked: latest, ben: latest + 1 }, timed)).rejects.toEqual(refusedAs('VotesMissing'));
  });

  test('a time-out of 60 days also replaces the 30 days', async () => {
    await timed.adopt(withTimeouts(timed.charter, [2 * 30 * 24 * 60]));
    await expect(held({ asked: 2 * MONTH_MS + USED_WITHIN_MS }, timed)).resolves.toBeDefined();
    await expect(held({ asked: 2 * MONTH_MS + USED_WITHIN_MS + 1 }, timed)).rejects.toEqual(refusedAs('ActionTooOld'));
  });

  test.each([
    [[120, 30], 30],
    [[30, null], 30],
  ])('the shortest time-out of several triggered policies applies (%j)', async (timeouts, minutes) => {
    await timed.adopt(withTimeouts(timed.charter, timeouts));
    await expect(held({ asked: minutes * MINUTE_MS + USED_WITHIN_MS + 1 }, timed)).rejects.toEqual(refusedAs('ActionTooOld'));
    // Within the time-out, the order lacks only the approval of the second policy's group.
    await expect(held({ asked: minutes * MINUTE_MS + USED_WITHIN_MS }, timed)).rejects.toEqual(refusedAs('ApprovalMismatch'));
  });
});

test('an action is rejected without an anchor, or with an anchor from another signer or from a clone', async () => {
  const { people, signer } = office;
  const other = await openChartered();
  const { signerId } = signer.health();
  const clone = createAnchors({ signerId, key: randomBytes(32) });
  for (const anchor of [null, other.anchorAt(NOW_MS), clone.make(NOW_MS), 'anchor1', '']) {
    await expect(free({ anchor })).rejects.toEqual(refusedAs('ActionNotAnchored'));
    const order = office.held(people.ada, [people.ben]);
    const approval = order.evidence.find((one) => one.kind === 'Approval');
    if (!approval) throw new Error('no approval');
    const voting = (signed: Parameters<typeof voteOf>[3]) => ({
      ...order,
      evidence: [...order.evidence, voteOf(people.cyd, approval, 'Approved', signed)],
    });
    await expect(signer.signTransfer(voting({ anchor }))).rejects.toEqual(refusedAs('VotesMissing'));
    await expect(signer.signTransfer(voting({}))).resolves.toBeDefined();
  }
  await other.close();
});

test('an anchor that was replaced, removed or added after the signature is detected', async () => {
  const { people, signer, transfer, anchorAt } = office;
  const order = transfer(people.ada);
  const [first] = order.evidence;
  if (!first) throw new Error('no request');
  const replaced = { ...order, evidence: [{ ...first, anchor: anchorAt(NOW_MS - 1) }] };
  await expect(signer.signTransfer(replaced)).rejects.toEqual(refusedAs('ActionMismatch'));
  const { anchor: _none, ...bare } = first;
  await expect(signer.signTransfer({ ...order, evidence: [bare] })).rejects.toEqual(refusedAs('ActionMismatch'));
  const unanchored = transfer(people.ada, { anchor: null });
  const added = { ...unanchored, evidence: unanchored.evidence.map((one) => ({ ...one, anchor: anchorAt() })) };
  await expect(signer.signTransfer(added)).rejects.toEqual(refusedAs('ActionMismatch'));
});

test('an anchor may be a minute ahead of the clock, and not a millisecond more', async () => {
  const { anchorAt } = office;
  await expect(free({ anchor: anchorAt(NOW_MS + MINUTE_MS) })).resolves.toBeDefined();
  await expect(free({ anchor: anchorAt(NOW_MS + MINUTE_MS + 1) })).rejects.toEqual(refusedAs('ActionNotAnchored'));
});

test('an action must expire within twelve minutes of its anchor, whatever its age', async () => {
  for (const ageMs of [DAY_MS, 60 * MINUTE_MS, 2 * MINUTE_MS]) {
    const anchoredMs = NOW_MS - ageMs;
    const anchor = office.anchorAt(anchoredMs);
    await expect(free({ anchor, expiresMs: anchoredMs + USED_WITHIN_MS })).resolves.toBeDefined();
    const late = free({ anchor, expiresMs: anchoredMs + USED_WITHIN_MS + 1 });
    await expect(late).rejects.toEqual(refusedAs('ActionMismatch'));
  }
});

test('an action that expires in 2099 is refused on the day of its signature and on every later day', async () => {
  const { people, signer, transfer, clock } = office;
  const order = transfer(people.ada, { expiresMs: Date.parse('2099-01-01T00:00:00.000Z') });
  for (const laterMs of [0, DAY_MS, MONTH_MS, Date.parse('2098-12-31T23:59:00.000Z') - NOW_MS]) {
    clock.nowMs = NOW_MS + laterMs;
    const issued = { issuedAt: new Date(clock.nowMs).toISOString(), notAfter: new Date(clock.nowMs + 1_000).toISOString() };
    await expect(signer.signTransfer({ ...order, ...issued })).rejects.toEqual(refusedAs('ActionMismatch'));
  }
  clock.nowMs = NOW_MS;
});

test('an action that was signed, kept for a month and never used is refused, even though it was valid on its day', async () => {
  const { people, signer, transfer, clock } = office;
  const order = transfer(people.ada);
  const orderAt = (timeMs: number) => {
    clock.nowMs = timeMs;
    return { ...order, issuedAt: new Date(timeMs).toISOString(), notAfter: new Date(timeMs + 1_000).toISOString() };
  };
  await expect(signer.signTransfer(orderAt(NOW_MS + MONTH_MS))).rejects.toEqual(refusedAs('ActionTooOld'));
  await expect(signer.signTransfer(orderAt(NOW_MS))).resolves.toBeDefined();
  // The signer has already released this signature, so it returns the signature for the repeated order at any time.
  await expect(signer.signTransfer(orderAt(NOW_MS + MONTH_MS))).resolves.toBeDefined();
  clock.nowMs = NOW_MS;
});

test('a freeze is released until a day after the request, and not a millisecond later', async () => {
  const { people, signer } = office;
  const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 1_000).toISOString() };
  const freeze = { orgId: ORG, freezeId: 'frz-1', ...moment };
  await signer.setFreeze({ ...freeze, evidence: [], target: { kind: 'Network', network: 'EthereumHolesky' } });
  const release = (signed: Partial<Parameters<typeof actionOf>[2]>) => {
    const evidence = [actionOf('Initiator', people.ada, { method: 'DELETE', path: '/freezes/frz-1', ...signed })];
    return signer.releaseFreeze({ ...freeze, evidence });
  };
  await expect(release({ anchor: null })).rejects.toEqual(refusedAs('ActionNotAnchored'));
  await expect(release(signedBefore(DAY_MS + 1))).rejects.toEqual(refusedAs('ActionTooOld'));
  await expect(release(signedBefore(DAY_MS))).resolves.toBeDefined();
});
