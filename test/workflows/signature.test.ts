import { ApplicationFailure } from '@temporalio/client';
import type { NextLook } from '../../activities/signatures/filling';
import type { Frozen } from '../../domain/freezes';
import type { Judgement } from '../../domain/judgements';
import type { Lapsing, Unfilled } from '../../domain/signatures';
import { inTurn } from '../support/in-turn';
import { openSignatureStage, type SignatureStage } from '../support/signature-life';
import { waitUntil } from '../support/wait-until';

let stage: SignatureStage;
beforeAll(async () => {
  stage = await openSignatureStage();
}, 120_000);
afterAll(() => stage?.close());

const DAYS_3_MS = 3 * 24 * 3_600_000;
const GROUPS = [{ name: 'Finance', quorum: 2, have: 1 }];
const HELD: Judgement = { outcome: 'Held', approvalId: 'ap-1', groups: GROUPS, rejectsItselfAfterMs: DAYS_3_MS };
const HELD_FOR_EVER: Judgement = { outcome: 'Held', approvalId: 'ap-1', groups: GROUPS };
const broken = ApplicationFailure.nonRetryable('broken', 'Internal');

const called = (calls: readonly string[], name: string) => waitUntil(name, () => calls.includes(name));

test('a request that no policy holds needs two activities', async () => {
  await stage.play('signed', {}, async (signature, calls) => {
    expect(await signature.result()).toBe('Signed');
    expect(calls).toEqual(['evaluateSignature', 'signPayload']);
  });
});

test('a blocked request ends at once, and nothing is signed', async () => {
  const evaluateSignature = async (): Promise<Judgement> => ({ outcome: 'Ended', state: 'Rejected' });
  await stage.play('blocked', { evaluateSignature }, async (signature, calls) => {
    expect(await signature.result()).toBe('Rejected');
    expect(calls).toEqual(['evaluateSignature']);
  });
});

test('an approved request is judged once more at its release and then signed', async () => {
  const evaluateSignature = inTurn<Judgement>(HELD, { outcome: 'Cleared' });
  await stage.play('approved', { evaluateSignature }, async (signature, calls) => {
    await called(calls, 'evaluateSignature');
    await signature.signal('approvalChanged');
    expect(await signature.result()).toBe('Signed');
    expect(calls).toEqual(['evaluateSignature', 'readHold', 'evaluateSignature', 'signPayload']);
  });
});

test('a vote that leaves the quorum open keeps the request waiting, and so does a request to cancel', async () => {
  const replaced = {
    evaluateSignature: inTurn<Judgement>(HELD_FOR_EVER, { outcome: 'Cleared' }),
    readHold: inTurn({ status: 'Pending' as const, groups: GROUPS }, { status: 'Approved' as const, groups: [] }),
  };
  await stage.play('two-votes', replaced, async (signature, calls) => {
    await called(calls, 'evaluateSignature');
    await signature.cancel();
    await signature.signal('approvalChanged');
    await called(calls, 'readHold');
    expect(calls).not.toContain('signPayload');
    await signature.signal('approvalChanged');
    expect(await signature.result()).toBe('Signed');
  });
});

test('a denied request is Rejected, and nothing is signed', async () => {
  const replaced = { evaluateSignature: async () => HELD, readHold: inTurn({ status: 'Denied' as const, groups: GROUPS }) };
  await stage.play('denied', replaced, async (signature, calls) => {
    await called(calls, 'evaluateSignature');
    await signature.signal('approvalChanged');
    expect(await signature.result()).toBe('Rejected');
    expect(calls).not.toContain('signPayload');
  });
});

test('a held request that no approver decides is rejected after three days', async () => {
  await stage.play('expired', { evaluateSignature: async () => HELD }, async (signature, calls) => {
    await called(calls, 'evaluateSignature');
    expect(await signature.result()).toBe('Rejected');
    expect(calls).toEqual(['evaluateSignature', 'expireHold']);
  });
});

test('approvers are notified at once and reminded later, and a vote then releases the request for signing', async () => {
  let workflow: { signal: (name: string) => Promise<void> } | undefined;
  let told = 0;
  const tellApprovers = async () => {
    told += 1;
    if (told === 1) return { nextNoticeInMs: 3_600_000 };
    await workflow?.signal('approvalChanged');
    return {};
  };
  const evaluateSignature = inTurn<Judgement>({ ...HELD, nextNoticeInMs: 0 }, { outcome: 'Cleared' });
  await stage.play('reminded', { evaluateSignature, tellApprovers }, async (signature, calls) => {
    workflow = signature;
    expect(await signature.result()).toBe('Signed');
    expect(calls.slice(0, 4)).toEqual(['evaluateSignature', 'tellApprovers', 'tellApprovers', 'readHold']);
  });
});

test('a policy that changed before the signature sends the request back to be judged', async () => {
  const signPayload = inTurn<'PolicyChanged' | 'Signed'>('PolicyChanged', 'Signed');
  await stage.play('policy-changed', { signPayload }, async (signature, calls) => {
    expect(await signature.result()).toBe('Signed');
    expect(calls).toEqual(['evaluateSignature', 'signPayload', 'evaluateSignature', 'signPayload']);
  });
});

const UNFILLED = { unfilledOn: 'EthereumSepolia' } as const;

test('an open transaction is filled in on the queue of its network, signed, and watched until its nonce is used', async () => {
  const replaced = {
    signPayload: inTurn<Unfilled | Lapsing>(UNFILLED, { lapsesOn: 'EthereumSepolia' }),
    lapseSignature: inTurn<NextLook>({ againMs: DAYS_3_MS }, { againMs: 60_000 }, { againMs: null }),
  };
  await stage.play('filled-in', replaced, async (signature, calls) => {
    expect(await signature.result()).toBe('Signed');
    expect(calls).toEqual([
      ...['evaluateSignature', 'signPayload', 'fillSignature', 'signPayload'],
      ...['lapseSignature', 'lapseSignature', 'lapseSignature'],
    ]);
  });
});

test.each([
  ['filling-failed', 'Failed'],
  ['filling-policy-changed', 'PolicyChanged'],
] as const)('%s: an open transaction is not signed if it could not be filled in', async (title, filled) => {
  const replaced = {
    signPayload: inTurn<Unfilled | 'Signed'>(UNFILLED, 'Signed'),
    fillSignature: inTurn<typeof filled>(filled),
  };
  await stage.play(title, replaced, async (signature, calls) => {
    expect(await signature.result()).toBe(filled === 'Failed' ? 'Failed' : 'Signed');
    const judgedAgain = filled === 'Failed' ? [] : ['evaluateSignature', 'signPayload'];
    expect(calls).toEqual(['evaluateSignature', 'signPayload', 'fillSignature', ...judgedAgain]);
  });
});

test('an order that the signer refuses ends the request', async () => {
  await stage.play('signer-refuses', { signPayload: async () => 'Failed' }, async (signature) => {
    expect(await signature.result()).toBe('Failed');
  });
});

test('an unavailable signer delays the signature and does not lose it', async () => {
  const away = ApplicationFailure.retryable('nobody answers', 'SignerUnavailable');
  await stage.play('signer-away', { signPayload: inTurn<'Signed'>(away, away, 'Signed') }, async (signature) => {
    expect(await signature.result()).toBe('Signed');
  });
});

const FROZEN: Judgement = { outcome: 'Frozen', freezeId: 'frz-1' };

test('a frozen request waits for the release, is judged again, and waits again after a freeze during signing', async () => {
  const replaced = {
    evaluateSignature: inTurn<Judgement>(FROZEN, { outcome: 'Cleared' }),
    signPayload: inTurn<'Signed' | Frozen>({ frozenBy: 'frz-2' }, 'Signed'),
  };
  await stage.play('frozen', replaced, async (signature, calls) => {
    await called(calls, 'evaluateSignature');
    expect(calls).toEqual(['evaluateSignature']);
    await signature.signal('freezeChanged');
    await called(calls, 'signPayload');
    await signature.signal('freezeChanged');
    expect(await signature.result()).toBe('Signed');
    expect(calls).toEqual(['evaluateSignature', 'evaluateSignature', 'signPayload', 'signPayload']);
  });
});

test('a permanent error of the judgement fails the request, and nothing is signed', async () => {
  await stage.play('broken-judgement', { evaluateSignature: inTurn<Judgement>(broken) }, async (signature, calls) => {
    expect(await signature.result()).toBe('Failed');
    expect(calls).toEqual(['evaluateSignature', 'evaluateSignature', 'failSignature']);
  });
});

test('an error before the signer was asked fails the request', async () => {
  await stage.play('broken-before-signing', { signPayload: inTurn<'Signed'>(broken) }, async (signature, calls) => {
    expect(await signature.result()).toBe('Failed');
    expect(calls).toEqual(['evaluateSignature', 'signPayload', 'failSignature']);
  });
});

test('after an error, the step is repeated if a signature may exist, because such a request must not be marked as failed', async () => {
  const replaced = { signPayload: inTurn<'Signed'>(broken, 'Signed'), failSignature: async () => 'Signing' as const };
  await stage.play('stopped-signing', replaced, async (signature, calls) => {
    expect(await signature.result()).toBe('Signed');
    expect(calls).toEqual(['evaluateSignature', 'signPayload', 'failSignature', 'signPayload']);
  });
});
