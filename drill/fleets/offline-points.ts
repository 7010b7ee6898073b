import type { Phase, Point } from '../kill-points';

type Row = readonly [name: string, at: string, phase?: Phase];

const pointsOf = (story: 'carried' | 'founded', rows: readonly Row[]): readonly Point[] =>
  rows.map(([name, at, phase]) => ({
    name: `offline: ${name}`,
    at,
    story,
    phase: phase ?? 'any',
    launch: 'normal',
    alone: false,
    network: 'EthereumSepolia',
  }));

/** The points of a transfer from an offline wallet, in the order in which the transfer reaches them. */
const CARRIED: readonly Row[] = [
  ['the wait for a device before the commit', 'signTransfer:committing', 'decide'],
  ['the wait for a device committed', 'signTransfer:committed', 'decide'],
  ['group before the commit', 'api:committing', 'collect'],
  ['group committed, no archive for the caller', 'api:committed', 'collect'],
  ['before the requests are collected', 'sealFleetArchive:begun'],
  ['before the signer is asked for a vouch', 'collectRequests:asked'],
  ['vouch in the journal, no reply to the worker', 'vouchTransfer:done'],
  ['vouch answered, row not written', 'collectRequests:answered'],
  ['vouch before the commit', 'collectRequests:committing'],
  ['vouch committed', 'collectRequests:committed'],
  ['before the signer is asked for the archive', 'sealFleetArchive:asked'],
  ['archive in the journal, no reply to the worker', 'sealFleetInput:done'],
  ['archive sealed, answer not read', 'sealFleetArchive:answered'],
  ['archive before the commit', 'sealFleetArchive:committing'],
  ['archive committed', 'sealFleetArchive:committed'],
  ['archive done, Temporal not notified', 'sealFleetArchive:done'],
  ['output of the device before the commit', 'api:committing', 'submit'],
  ['output of the device committed, no reply to the caller', 'api:committed', 'submit'],
  ['before the output is verified', 'checkFleetOutput:begun'],
  ['signatures before the commit', 'checkFleetOutput:committing'],
  ['signatures committed', 'checkFleetOutput:committed'],
  ['signatures done, Temporal not notified', 'checkFleetOutput:done'],
  ['before the request is woken', 'offlineChanged:begun'],
  ['request woken, row not marked', 'offlineChanged:done'],
  ['before the signer is told of the signatures', 'signTransfer:asked'],
  ['signatures in the journal, no reply to the worker', 'recordSignatures:done'],
  ['signatures recorded, answer not read', 'signTransfer:answered'],
  ['Signed before the commit', 'signTransfer:committing', 'submit'],
  ['Signed committed', 'signTransfer:committed', 'submit'],
  ['before the chain is asked', 'broadcastTransfer:asked'],
  ['broadcast, answer not read', 'broadcastTransfer:answered'],
];

/** The points of a genesis, and of the first wallet of the new fleet. */
const FOUNDED: readonly Row[] = [
  ['output of the genesis before the commit', 'checkFleetOutput:committing'],
  ['output of the genesis committed', 'checkFleetOutput:committed'],
  ['review before the commit', 'api:committing', 'review'],
  ['review committed, no reply to the caller', 'api:committed', 'review'],
  ['before the approval is recorded', 'recordFleetApproval:begun'],
  ['before the signer is asked to record the fleet', 'recordFleetApproval:asked'],
  ['fleet in the journal, no reply to the worker', 'recordFleet:done'],
  ['fleet recorded, answer not read', 'recordFleetApproval:answered'],
  ['fleet before the commit', 'recordFleetApproval:committing'],
  ['fleet committed', 'recordFleetApproval:committed'],
  ['fleet done, Temporal not notified', 'recordFleetApproval:done'],
  ['before the signer is asked to assign a key', 'createWalletKey:asked'],
  ['key assigned in the journal, no reply to the worker', 'assignFleetKey:done'],
  ['key assigned, answer not read', 'createWalletKey:answered'],
  ['wallet of the key before the commit', 'createWalletKey:committing'],
  ['wallet of the key committed', 'createWalletKey:committed'],
];

export const OFFLINE_POINTS: readonly Point[] = [...pointsOf('carried', CARRIED), ...pointsOf('founded', FOUNDED)];

/** The short drill kills all processes at these points, in one round with many other steps with the signer. */
const IN_SHORT: ReadonlySet<string> = new Set(['vouchTransfer:done', 'recordFleet:done']);
export const isInShort = ({ at }: Point): boolean => IN_SHORT.has(at);

/** The worker carries out at most 16 steps with the signer at a time. */
const POINTS_AT_ONCE = 16;

/** Neighbours share a round: a record that is held earlier would take the place of a record that must pass more steps. */
export const offlineRounds = (points: readonly Point[]): readonly (readonly Point[])[] =>
  Array.from({ length: Math.ceil(points.length / POINTS_AT_ONCE) }, (_, round) =>
    points.slice(round * POINTS_AT_ONCE, (round + 1) * POINTS_AT_ONCE),
  );
