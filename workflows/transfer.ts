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
import type { Judgement } from '../domain/judgements';
import { routeOf } from '../domain/routes';
import type { TransferRef } from '../domain/transfer-steps';
import { freezeChanged } from './freeze.messages';
import { judgeUntilCleared } from './judge-until-cleared';
import { localThenQueue } from './local-then-queue';
import { offlineChanged } from './offline.messages';
import {
  approvalChanged,
  laneChanged,
  type SettledState,
  settled,
  type TransferEnd,
  type TransferInput,
  travelRuleChanged,
} from './transfer.messages';
import { onceCarried } from './wait-for-device';
import { hasGrownLong, waitForOperator } from './wait-for-operator';
import { onceThawed } from './wait-for-release';

/** A lost wake-up must not hold a transfer for ever: after this time the workflow reads the rows again. */
const REREAD_MS = 3_600_000;
const LANE_RETRY_MS = 60_000;
const FEE_RETRY_MS = 60_000;

const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;

/**
 * Usually one activity does everything from the claims to the broadcast. The later steps finish what this activity has left
 * open. Ignores cancellation, because no other process would finish the row, and the transfer's bytes may be signed.
 */
export function transfer(input: TransferInput): Promise<TransferEnd> {
  return CancellationScope.nonCancellable(() => live(input));
}

type Run = {
  readonly ref: TransferRef;
  readonly network: string;
  readonly judge: () => Promise<Judgement>;
  readonly main: Activities;
  readonly chain: Pick<Activities, 'prepareTransfer' | 'broadcastTransfer'>;
  readonly signer: Pick<Activities, 'signTransfer'>;
  readonly wake: { approval: boolean; lane: boolean; freeze: boolean; travelRule: boolean; offline: boolean };
  /** Continues in a new run when this run has grown long. */
  readonly renew: (stage: { readonly prepared: boolean }) => Promise<void>;
};

/**
 * Claims the inputs, builds the bytes and commits `Signing`. Usually the same activity also signs and sends. `PolicyChanged`:
 * the transfer needs another judgement.
 */
async function prepare({ ref, network, chain, wake, renew }: Run): Promise<'Ready' | 'Sent' | 'PolicyChanged' | 'Failed'> {
  for (;;) {
    wake.lane = false; // before the call, so that a wake-up during the call is not missed
    const prepared = await chain.prepareTransfer({ ...ref, through: true });
    if (prepared === 'Waiting') {
      setCurrentDetails(`Waiting for earlier transfers of this wallet on ${network}.`);
      await condition(() => wake.lane, LANE_RETRY_MS, { summary: 'A place in the wallet’s lane' });
    } else if (prepared === 'FeeAboveCeiling') {
      setCurrentDetails(`Fees on ${network} are above the approved ceiling: trying again every minute.`);
      await sleep(FEE_RETRY_MS, { summary: 'Fees are above the approved ceiling' });
    } else {
      return prepared;
    }
    await renew({ prepared: false });
  }
}

async function judgeAndPrepare(run: Run): Promise<'Ready' | 'Sent' | TransferEnd> {
  const { ref, network, judge, main, wake } = run;
  const renew = () => run.renew({ prepared: false });
  try {
    for (;;) {
      const verdict = await judgeUntilCleared(ref, { judge, main, wake, renew });
      if (verdict !== 'Cleared') return verdict;
      setCurrentDetails(`Preparing and sending on ${network}.`);
      const preparation = await prepare(run);
      if (preparation !== 'PolicyChanged') return preparation;
      await renew();
    }
  } catch (error) {
    // Before `Signing` nothing was signed, so a permanent error ends the transfer.
    if (!(error instanceof ActivityFailure)) throw error;
    return await main.failTransfer(ref);
  }
}

/** Returns the end of a transfer that is not sent, and undefined for a sent transfer. */
async function signAndSend({ ref, network, judge, main, chain, signer, wake, ...run }: Run): Promise<TransferEnd | undefined> {
  const renew = () => run.renew({ prepared: true });
  const sign = () => {
    setCurrentDetails('Signing.');
    return waitForOperator('signing', () => signer.signTransfer(ref), renew);
  };
  for (;;) {
    const signed = await onceCarried(() => onceThawed(sign, wake, renew), wake, renew);
    if (signed === 'Signed') break;
    if (signed !== 'PolicyChanged') return signed === 'Refused' ? 'Failed' : signed;
    // For a transfer with claims the judgement returns `Cleared` even if policies block. The next signing attempt then ends the
    // transfer, after the signer has promised not to sign.
    const verdict = await waitForOperator('judging', () => judgeUntilCleared(ref, { judge, main, wake, renew }), renew);
    if (verdict !== 'Cleared') return verdict;
  }
  const send = () => {
    setCurrentDetails(`Sending to ${network}.`);
    return waitForOperator('sending', () => chain.broadcastTransfer(ref), renew);
  };
  await onceThawed(send, wake, renew);
  return undefined;
}

async function live({ orgId, id, routing, prepared = routing.prepared === 'true' }: TransferInput): Promise<TransferEnd> {
  const ref: TransferRef = { orgId, transferId: id };
  const { network } = routing;
  const route = routeOf(orgId);
  const step = (taskQueue: string, summary: string, seconds = 30) =>
    proxyActivities<Activities>({ taskQueue, startToCloseTimeout: `${seconds} seconds`, retry, summary });
  const main = step(route.main, 'Policy');
  const chain = step(route.chain(network), `Prepare and send on ${network}`);
  const signer = step(route.signer, 'Sign');

  const wake = { approval: false, lane: false, freeze: false, travelRule: false, offline: false };
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
  setHandler(offlineChanged, () => {
    wake.offline = true;
  });
  setHandler(laneChanged, () => {
    wake.lane = true;
  });
  setHandler(settled, (state) => {
    end = state;
  });

  const renew: Run['renew'] = async (stage) => {
    if (end !== undefined || !hasGrownLong()) return;
    await continueAsNew<typeof transfer>({ orgId, id, routing, ...stage });
  };
  const judge = () => localThenQueue(routing, main, (steps) => steps.evaluateTransfer(ref));
  const run: Run = { ref, network, judge, main, chain, signer, wake, renew };

  // A prepared transfer skips judgement and preparation: judging again could end a transfer whose bytes are signed.
  const preparation = prepared ? 'Ready' : await judgeAndPrepare(run);
  const unsent = preparation === 'Ready' ? await signAndSend(run) : preparation;
  if (unsent !== undefined && unsent !== 'Sent') return unsent;

  setCurrentDetails(`Sent. Waiting for ${network} to confirm.`);
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
