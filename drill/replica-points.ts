import type { Point } from './kill-points';

const point = (name: string, at: string): Point => ({
  name: `replica: ${name}`,
  at,
  story: 'copied',
  phase: 'any',
  launch: 'normal',
  alone: true,
  network: 'EthereumSepolia',
});

/**
 * The points are in the order in which a batch of the journal reaches them. The whole journal waits at such a point, so each
 * point needs a round of its own.
 */
export const REPLICA_POINTS: readonly Point[] = [
  point('written by the signer, not sent', 'replicateBatch:begun'),
  point('received by the replica, not written', 'keepBatch:begun'),
  point('written by the replica, not synced', 'keepBatch:written'),
  point('synced, not acknowledged', 'keepBatch:done'),
  point('acknowledged, no reply to the caller', 'replicateBatch:done'),
];

/** A transfer whose order waits in the signer while the journal waits for the replica. */
export const QUEUED: Point = {
  name: 'replica: an order that waits for the journal',
  at: 'signTransfer:asked',
  story: 'copied',
  phase: 'any',
  launch: 'queued',
  alone: false,
  network: 'EthereumSepolia',
};
