import type { SweepObserver } from '../activities/housekeeping/sweep-balances';
import { CAUSED_TABLES, type CauseObserver } from '../activities/outgoing/causes';
import type { FollowObserver } from '../activities/outgoing/follow/follow-networks';
import { CHAIN_ALARMS } from '../activities/outgoing/follow/follower';
import type { ScanObserver } from '../activities/scans/scan-networks';
import type { AttemptMade } from '../application/webhooks/delivery';
import type { OnRpcCall } from '../chains/types';
import { AppError } from '../domain/errors';
import type { EventKind } from '../domain/events';
import { MAIL_ENDS, type MailEnd } from '../domain/mails';
import { OUTBOX_KINDS } from '../domain/outbox';
import type { TransferState } from '../domain/transfers';
import { RECEIVED_STATUS } from '../domain/webhooks';
import type { WaitingRow } from '../entities/outbox/relay.store';
import type { Logger } from '../platform/logger';
import { createMetrics, type Metrics, sampleOf } from '../platform/metrics';
import { rpcCallsInto } from '../platform/metrics-sources';
import { OrderOp, type SignerClient } from '../signer/protocol';
import { observeScanning, observeSweeping } from './metrics-scans';
import type { RelayObserver } from './relay/carry-out';

export type WorkerMetrics = {
  readonly metrics: Metrics;
  readonly onRpcCall: OnRpcCall;
  readonly onAttempt: (attempt: AttemptMade) => void;
  readonly onMailEnd: (end: MailEnd) => void;
  readonly relayObserver: RelayObserver;
  readonly followObserver: FollowObserver;
  readonly scanObserver: ScanObserver;
  readonly sweepObserver: SweepObserver;
  readonly onAltered: () => void;
  readonly causeObserver: CauseObserver;
  /** Returns a client that measures each order. */
  readonly measured: (signer: SignerClient) => SignerClient;
};

/**
 * The end of a transfer is counted when its event is relayed. The relay carries the event only after the commit, and also carries
 * the events that other processes have written.
 */
const END_OF: Readonly<Record<string, TransferState>> = {
  'wallet.transfer.confirmed': 'Confirmed',
  'wallet.transfer.failed': 'Failed',
  'wallet.transfer.rejected': 'Rejected',
} satisfies Partial<Record<EventKind, TransferState>>;

export function createWorkerMetrics(logger: Logger): WorkerMetrics {
  const metrics = createMetrics('worker', logger);
  metrics.begin('strongroom_altered_requests_total', {});
  for (const kind of OUTBOX_KINDS) metrics.begin('strongroom_outbox_failed_attempts_total', { kind });
  for (const kind of CAUSED_TABLES) metrics.begin('strongroom_unproven_requests_total', { kind });
  for (const outcome of MAIL_ENDS) metrics.begin('strongroom_mails_ended_total', { outcome });
  for (const state of Object.values(END_OF)) metrics.begin('strongroom_transfers_ended_total', { state });
  return {
    metrics,
    onRpcCall: rpcCallsInto(metrics),
    onAttempt: ({ number, status, waitedMs }) => {
      const attempt = number === 1 ? 'first' : 'later';
      metrics.count('strongroom_webhook_attempts_total', { attempt, ...outcomeOf(status) });
      // The event has the time of the database's clock, which may differ from the clock of this process.
      if (number === 1) metrics.observe('strongroom_webhook_first_send_seconds', {}, Math.max(0, waitedMs / 1_000));
    },
    onMailEnd: (outcome) => metrics.count('strongroom_mails_ended_total', { outcome }),
    relayObserver: {
      relayed: ({ kind, routing }: WaitingRow) => {
        metrics.count('strongroom_outbox_relayed_total', { kind });
        const state = END_OF[routing['eventKind'] ?? ''];
        if (state) metrics.count('strongroom_transfers_ended_total', { state });
      },
      putOff: ({ kind }: WaitingRow) => metrics.count('strongroom_outbox_failed_attempts_total', { kind }),
    },
    followObserver: observeFollowing(metrics),
    scanObserver: observeScanning(metrics),
    sweepObserver: observeSweeping(metrics),
    onAltered: () => metrics.count('strongroom_altered_requests_total', {}),
    causeObserver: {
      refused: (kind, { orgId, id }, reason) => {
        metrics.count('strongroom_unproven_requests_total', { kind });
        logger.error(
          { orgId, recordId: id, reason },
          `ALARM: no signed user action authorises a row of ${kind}; nothing is signed for it`,
        );
      },
      earlier: (kind, { orgId, id }) =>
        logger.warn(
          { orgId, recordId: id },
          `a row of ${kind} predates the storing of signed texts and was judged by its digest alone`,
        ),
    },
    measured: (signer) => ({ ...signer, ...measuredOrders(metrics, signer) }),
  };
}

function measuredOrders(metrics: Metrics, signer: SignerClient): Partial<SignerClient> {
  const ops = OrderOp.options.filter((op) => op !== 'unknown');
  const measured = (op: (typeof ops)[number]) => {
    const send = signer[op] as (order: unknown) => Promise<unknown>;
    return [op, (order: unknown) => measure(metrics, op, () => send(order))] as const;
  };
  return Object.fromEntries(ops.map(measured));
}

function outcomeOf(status: string): { readonly outcome: string; readonly status_class: string } {
  if (status === String(RECEIVED_STATUS)) return { outcome: 'Received', status_class: '2xx' };
  const http = /^([1-5])\d\d$/.exec(status)?.[1];
  return http === undefined ? { outcome: status, status_class: 'none' } : { outcome: 'Refused', status_class: `${http}xx` };
}

function observeFollowing(metrics: Metrics): FollowObserver {
  const followed = new Map<string, { readonly at: number; readonly height: number | undefined }>();
  metrics.addSource({
    name: 'follower',
    metrics: ['strongroom_follower_head_height', 'strongroom_follower_lag_seconds'],
    read: () =>
      [...followed].flatMap(([network, { at, height }]) => [
        sampleOf('strongroom_follower_lag_seconds', { network }, (performance.now() - at) / 1_000),
        ...(height === undefined ? [] : [sampleOf('strongroom_follower_head_height', { network }, height)]),
      ]),
  });
  return {
    looked: (network, height) => {
      if (!followed.has(network))
        for (const kind of CHAIN_ALARMS) metrics.begin('strongroom_chain_alarms_total', { network, kind });
      followed.set(network, { at: performance.now(), height });
    },
    alarmed: (network, kind, count) => {
      for (let one = 0; one < count; one += 1) metrics.count('strongroom_chain_alarms_total', { network, kind });
    },
    left: (network) => followed.delete(network),
  };
}

async function measure<T>(metrics: Metrics, op: keyof SignerClient, order: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const note = (outcome: string) =>
    metrics.observe('strongroom_signer_call_duration_seconds', { op, outcome }, (performance.now() - started) / 1_000);
  try {
    const result = await order();
    note('Done');
    return result;
  } catch (error) {
    note(error instanceof AppError && error.code === 'SignerRefused' ? 'Refused' : 'Unavailable');
    throw error;
  }
}
