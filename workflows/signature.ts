import {
  ActivityFailure,
  CancellationScope,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { NetworkName } from '../domain/networks';
import { routeOf } from '../domain/routes';
import type { Lapsing, SignatureRef } from '../domain/signatures';
import { freezeChanged } from './freeze.messages';
import { judgeUntilCleared } from './judge-until-cleared';
import { localThenQueue } from './local-then-queue';
import { offlineChanged } from './offline.messages';
import type { SignatureEnd, SignatureInput } from './signature.messages';
import { approvalChanged } from './transfer.messages';
import { onceCarried } from './wait-for-device';
import { hasGrownLong, waitForOperator } from './wait-for-operator';
import { onceThawed } from './wait-for-release';

const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/** Ignores cancellation, because no other process would finish the row, and a signature may already exist. */
export function signature(input: SignatureInput): Promise<SignatureEnd> {
  return CancellationScope.nonCancellable(() => live(input));
}

/** Signals set these notes, and the run clears a note before it reads the rows again. */
function notedSignals() {
  const wake = { approval: false, freeze: false, travelRule: false, offline: false };
  setHandler(approvalChanged, () => {
    wake.approval = true;
  });
  setHandler(freezeChanged, () => {
    wake.freeze = true;
  });
  setHandler(offlineChanged, () => {
    wake.offline = true;
  });
  return wake;
}

async function live({ orgId, id, routing }: SignatureInput): Promise<SignatureEnd> {
  const ref: SignatureRef = { orgId, signatureId: id };
  const route = routeOf(orgId);
  const step = (taskQueue: string, summary: string) =>
    proxyActivities<Activities>({ taskQueue, startToCloseTimeout: '30 seconds', retry, summary });
  const main = step(route.main, 'Policy');
  const signer = step(route.signer, 'Sign');

  const wake = notedSignals();

  /** A new run reads everything from the rows again. */
  const renew = async (): Promise<void> => {
    if (hasGrownLong()) await continueAsNew<typeof signature>({ orgId, id, ...(routing && { routing }) });
  };

  /** Rethrows the error if a signature may exist. */
  const failed = async (error: unknown): Promise<SignatureEnd> => {
    if (!(error instanceof ActivityFailure)) throw error;
    const state = await main.failSignature(ref);
    if (state === 'Signing') throw error;
    return state;
  };
  /** A transaction with open fields is first filled in, on its network's queue. */
  const signWhole = async (): Promise<SignatureEnd | Lapsing | 'PolicyChanged'> => {
    const once = () => onceThawed(() => waitForOperator('signing', sign, renew), wake, renew);
    const signed = await onceCarried(once, wake, renew);
    if (typeof signed === 'string' || !('unfilledOn' in signed)) return signed;
    const { fillSignature } = step(route.chain(signed.unfilledOn), 'Fill in nonce and fee');
    const fill = () => {
      setCurrentDetails('Filling in nonce and fee.');
      return fillSignature(ref).catch(failed);
    };
    const filled = await onceThawed(() => waitForOperator('filling in', fill, renew), wake, renew);
    return filled === 'Filled' ? signWhole() : filled;
  };
  /** If the caller does not use the nonce in time, the service uses the nonce. */
  const untilNonceIsUsed = async (network: NetworkName): Promise<void> => {
    const { lapseSignature } = step(route.chain(network), 'Check whether the nonce is used');
    for (;;) {
      const { againMs } = await waitForOperator('checking the nonce', () => lapseSignature(ref), renew);
      if (againMs === null) return;
      setCurrentDetails('Signed. The service uses up the nonce if its holder does not send the transaction in time.');
      await sleep(againMs, { summary: 'Until the nonce is checked' });
      await renew();
    }
  };
  const sign = () => {
    setCurrentDetails('Signing.');
    return signer.signPayload(ref).catch(failed);
  };

  for (;;) {
    const judge = () => localThenQueue(routing, main, (steps) => steps.evaluateSignature(ref));
    // If the signer already has the request, a failed judgement must not end the request, and an operator must help.
    const cleared = () => judgeUntilCleared(ref, { judge, main, wake, renew }).catch(failed);
    const verdict = await waitForOperator('judging', cleared, renew);
    if (verdict !== 'Cleared') return verdict;
    const signed = await signWhole();
    if (signed === 'PolicyChanged') continue;
    if (typeof signed === 'object') await untilNonceIsUsed(signed.lapsesOn);
    const end = typeof signed === 'object' ? 'Signed' : signed;
    setCurrentDetails(`Ended: ${end}.`);
    return end;
  }
}
