import type { AttemptMade } from '../../application/webhooks/delivery';
import { AppError } from '../../domain/errors';
import { createLogger } from '../../platform/logger';
import { OrderOp, type SignerClient } from '../../signer/protocol';
import { createWorkerMetrics } from '../../worker/metrics';

const watch = () => createWorkerMetrics(createLogger('test', 'silent'));
const row = (kind: 'start' | 'event', routing: Readonly<Record<string, string>> = {}) => ({
  orgId: 'or',
  id: 'ob',
  shard: 1,
  kind,
  aggregateId: 'xfr',
  dedupeKey: 'key',
  routing,
  attempts: 0,
});

test.each<[string, AttemptMade['status'], string]>([
  ['a 200 is labelled as received', '200', 'outcome="Received",status_class="2xx"'],
  ['any other status is labelled as refused, even a success', '204', 'outcome="Refused",status_class="2xx"'],
  ['an error of the receiver is labelled as refused', '503', 'outcome="Refused",status_class="5xx"'],
  ['an attempt without an answer is labelled as timed out', 'TimedOut', 'outcome="TimedOut",status_class="none"'],
])('deliveries of webhooks: %s', async (_rule, status, labels) => {
  const { metrics, onAttempt } = watch();
  onAttempt({ number: 1, status, waitedMs: 20 });
  onAttempt({ number: 2, status, waitedMs: 60_000 });
  const text = await metrics.scrape();
  expect(text).toContain(`strongroom_webhook_attempts_total{attempt="first",${labels}} 1`);
  expect(text).toContain(`strongroom_webhook_attempts_total{attempt="later",${labels}} 1`);
  expect(text).toMatch(/^strongroom_webhook_first_send_seconds_count 1$/m);
});

test('an end state is counted when its event is relayed, other events are not, and an end state that was never reached has a count of zero', async () => {
  const { metrics, relayObserver } = watch();
  relayObserver.relayed(row('event', { eventKind: 'wallet.transfer.failed' }));
  relayObserver.relayed(row('event', { eventKind: 'wallet.transfer.broadcasted' }));
  relayObserver.relayed(row('event'));
  relayObserver.putOff(row('start'));
  const text = await metrics.scrape();
  expect(text).toContain('strongroom_transfers_ended_total{state="Failed"} 1');
  expect(text).toContain('strongroom_transfers_ended_total{state="Confirmed"} 0');
  expect(text).toContain('strongroom_outbox_relayed_total{kind="event"} 3');
  expect(text).toContain('strongroom_outbox_failed_attempts_total{kind="start"} 1');
});

test('only the worker that follows a network shows the network, and shows its height only while the height is known', async () => {
  const { metrics, followObserver } = watch();
  followObserver.looked('EthereumSepolia', 77);
  expect(await metrics.scrape()).toContain('strongroom_follower_head_height{network="EthereumSepolia"} 77');
  followObserver.looked('EthereumSepolia', undefined);
  const idle = await metrics.scrape();
  expect(idle).not.toContain('strongroom_follower_head_height{');
  expect(idle).toContain('strongroom_follower_lag_seconds{network="EthereumSepolia"}');
  followObserver.left('EthereumSepolia');
  expect(await metrics.scrape()).not.toContain('strongroom_follower_lag_seconds{');
});

test('an order is measured by its outcome, and its error is passed on', async () => {
  const { metrics, measured } = watch();
  const failing = (error: Error) => {
    const nothing = () => Promise.reject(error);
    const signer = { createKey: nothing } as Partial<SignerClient> as SignerClient;
    return measured(signer).createKey({ orgId: 'or', keyId: 'ke', scheme: 'ECDSA', curve: 'secp256k1' });
  };
  await expect(failing(new AppError('SignerRefused', 'no'))).rejects.toMatchObject({ code: 'SignerRefused' });
  await expect(failing(new AppError('SignerUnavailable', 'away'))).rejects.toMatchObject({ code: 'SignerUnavailable' });
  const text = await metrics.scrape();
  expect(text).toContain('strongroom_signer_call_duration_seconds_count{op="createKey",outcome="Refused"} 1');
  expect(text).toContain('strongroom_signer_call_duration_seconds_count{op="createKey",outcome="Unavailable"} 1');
});

test('every order of the protocol is measured', async () => {
  const { metrics, measured } = watch();
  const ops = OrderOp.options.filter((op) => op !== 'unknown');
  const sending: Partial<SignerClient> = Object.fromEntries(ops.map((op) => [op, () => Promise.resolve(op)]));
  const signer = measured(sending as SignerClient);
  for (const op of ops) expect(await (signer[op] as () => Promise<unknown>)()).toBe(op);
  const text = await metrics.scrape();
  for (const op of ops) expect(text).toContain(`strongroom_signer_call_duration_seconds_count{op="${op}",outcome="Done"} 1`);
});
