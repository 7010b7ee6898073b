import {
  ActivityFailure,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { routeOf } from '../domain/routes';
import type { TransferRef } from '../domain/transfer-steps';
import { freezeChanged } from './freeze.messages';
import { judged } from './judge-until-cleared';
import { hereFirst } from './local-then-queue';
import {
  approvalChanged,
  laneChanged,
  type SettledState,
  settled,
  type TransferEnd,
  type TransferInput,
  travelRuleChanged,
} from './transfer.messages';
import { hasGrownLong, insist } from './wait-for-operator';
import { onceThawed } from './wait-for-release';

/** A lost wake-up must not hold a transfer for ever: after this long the rows are read again. */
const REREAD_MS = 3_600_000;
const LANE_RETRY_MS = 60_000;
const FEE_RETRY_MS = 60_000;

const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/**
 * Judge, wait for people if the verdict says so, then claim, build, sign, broadcast, and wait for the chain. Nearly always one activity
 * goes all the way to the network; the steps behind it are for what it had to leave. A request to
 * cancel the workflow changes nothing: it would leave a row that nobody moves on, while its bytes may be signed.
 */
export function transfer(input: TransferInput): Promise<TransferEnd> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live({ orgId, id, routing, prepared = routing.prepared === 'true' }: TransferInput): Promise<TransferEnd> {
  const ref: TransferRef = { orgId, transferId: id };
  const route = routeOf(orgId);
  const step = (taskQueue: string, summary: string, seconds = 30) =>
    proxyActivities<Activities>({ taskQueue, startToCloseTimeout: `${seconds} seconds`, retry, summary });
  const main = step(route.main, 'Policy');
  const chain = step(route.chain(routing.network), `Prepare and send on ${routing.network}`);
  const signer = step(route.signer, 'Sign');

  const wake = { approval: false, lane: false, freeze: false, travelRule: false };
  let end: SettledState | undefined;
  setHandler(approvalChanged, () => {
    wake.approval = true;
  });
  setHandler(freezeChanged, () => {
    wake.freeze = true;
  });
  setHandler(travelRuleChanged, () => {
    wake.travelRule = true;
  });
  setHandler(laneChanged, () => {
    wake.lane = true;
  });
  setHandler(settled, (state) => {
    end = state;
  });

  /** Goes on in a new run when this one has grown long. Everything but the stage is read from the rows again. */
  const renew = async (stage: { readonly prepared: boolean }): Promise<void> => {
    if (end !== undefined || !hasGrownLong()) return;
    await continueAsNew<typeof transfer>({ orgId, id, routing, ...stage });
  };

  /** Claims, builds and commits `Signing`, or says why that has to wait for another judgement or not happen at all. */
  const prepare = async (): Promise<'Ready' | 'Sent' | 'PolicyChanged' | 'Failed'> => {
    for (;;) {
      wake.lane = false; // before the attempt, so that a place freed during it is not missed
      const prepared = await chain.prepareTransfer({ ...ref, through: true });
      if (prepared === 'Waiting') {
        setCurrentDetails(`Waiting for earlier transfers of this wallet on ${routing.network}.`);
        await condition(() => wake.lane, LANE_RETRY_MS, { summary: 'A place in the wallet’s lane' });
      } else if (prepared === 'FeeAboveCeiling') {
        setCurrentDetails(`Fees on ${routing.network} are above the approved ceiling: trying again every minute.`);
        await sleep(FEE_RETRY_MS, { summary: 'Fees are above the approved ceiling' });
      } else {
        return prepared;
      }
      await renew({ prepared: false });
    }
  };

  const renewPrepared = () => renew({ prepared: true });

  const judge = () => hereFirst(routing, main, (steps) => steps.evaluateTransfer(ref));

  let isSent = false;
  try {
    // A run that follows one which had prepared goes straight on: what may be signed is neither judged nor ended any more.
    while (!prepared) {
      const verdict = await judged(ref, { judge, main, wake, renew: () => renew({ prepared: false }) });
      if (verdict !== 'Cleared') return verdict;
      setCurrentDetails(`Preparing and sending on ${routing.network}.`);
      const preparation = await prepare();
      if (preparation === 'Failed') return 'Failed';
      isSent = preparation === 'Sent';
      if (isSent || preparation === 'Ready') break;
      await renew({ prepared: false });
    }
  } catch (error) {
    // Before `Signing` nothing was signed, so an error that no retry can cure ends the transfer.
    if (!(error instanceof ActivityFailure)) throw error;
    return await main.failTransfer(ref);
  }

  const sign = () => {
    setCurrentDetails('Signing.');
    return insist('signing', () => signer.signTransfer(ref), renewPrepared);
  };
  while (!isSent) {
    const signed = await onceThawed(sign, wake, renewPrepared);
    if (signed === 'Signed') break;
    if (signed !== 'PolicyChanged') return signed === 'Refused' ? 'Failed' : signed;
    // With its nonce kept: what the policies stop by now ends at the next attempt, once the signer has promised never to sign it.
    const judgeAgain = () => judged(ref, { judge, main, wake, renew: renewPrepared });
    const verdict = await insist('judging', judgeAgain, renewPrepared);
    if (verdict !== 'Cleared') return verdict;
  }
  const send = () => {
    setCurrentDetails(`Sending to ${routing.network}.`);
    return insist('sending', () => chain.broadcastTransfer(ref), renewPrepared);
  };
  if (!isSent) await onceThawed(send, wake, renewPrepared);

  setCurrentDetails(`Sent. Waiting for ${routing.network} to confirm.`);
  for (;;) {
    if (!(await condition(() => end !== undefined, REREAD_MS, { summary: 'Confirmation by the chain' }))) {
      end = await main.readSettled(ref);
    }
    if (end === undefined) {
      await renew({ prepared: true });
      continue;
    }
    setCurrentDetails(`Ended: ${end}.`);
    return end;
  }
}
