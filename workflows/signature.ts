import {
  ActivityFailure,
  CancellationScope,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { routeOf } from '../domain/routes';
import type { SignatureRef } from '../domain/signatures';
import { freezeChanged } from './freeze.messages';
import { onceThawed } from './frozen';
import { hereFirst } from './here-first';
import { hasGrownLong, insist } from './insist';
import { judged } from './judging';
import type { SignatureEnd, SignatureInput } from './signature.messages';
import { approvalChanged } from './transfer.messages';

const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/**
 * Judge, wait for people if the verdict says so, then sign. A request to cancel the workflow changes nothing: it would leave a row
 * that nobody moves on, while a signature may exist.
 */
export function signature(input: SignatureInput): Promise<SignatureEnd> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id, routing }: SignatureInput): Promise<SignatureEnd> {
  const ref: SignatureRef = { orgId, signatureId: id };
  const route = routeOf(orgId);
  const step = (taskQueue: string, summary: string) =>
    proxyActivities<Activities>({ taskQueue, startToCloseTimeout: '30 seconds', retry, summary });
  const main = step(route.main, 'Policy');
  const signer = step(route.signer, 'Sign');

  const wake = { approval: false, freeze: false, travelRule: false };
  setHandler(approvalChanged, () => {
    wake.approval = true;
  });
  setHandler(freezeChanged, () => {
    wake.freeze = true;
  });

  /** Everything is read from the rows again, so a new run needs to know nothing. */
  const renew = async (): Promise<void> => {
    if (hasGrownLong()) await continueAsNew<typeof signature>({ orgId, id, ...(routing && { routing }) });
  };

  /** Ends the request where no retry can cure an error and nothing was signed; throws it again where something may be. */
  const failed = async (error: unknown): Promise<SignatureEnd> => {
    if (!(error instanceof ActivityFailure)) throw error;
    const state = await main.failSignature(ref);
    if (state === 'Signing') throw error;
    return state;
  };
  const sign = () => {
    setCurrentDetails('Signing.');
    return signer.signPayload(ref).catch(failed);
  };

  for (;;) {
    const judge = () => hereFirst(routing, main, (steps) => steps.evaluateSignature(ref));
    // One that is judged again while it is with the signer cannot end by a failed judgement.
    const verdict = await insist('judging', () => judged(ref, { judge, main, wake, renew }).catch(failed), renew);
    if (verdict !== 'Cleared') return verdict;
    const signed = await onceThawed(() => insist('signing', sign, renew), wake, renew);
    if (signed === 'PolicyChanged') continue;
    setCurrentDetails(`Ended: ${signed}.`);
    return signed;
  }
}
