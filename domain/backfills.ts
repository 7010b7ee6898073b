/**
 * `Gap`: the nodes do not have the next block. `Stopped`: the back-fill ended early for another reason. Only `Done` means that
 * every block down to the requested one was read.
 */
export const BACKFILL_STATUSES = ['Running', 'Done', 'Gap', 'Stopped'] as const;
export type BackfillStatus = (typeof BACKFILL_STATUSES)[number];

/**
 * `Revived`: the watch was archived for a time. `LateStart`: the service learned the address before it began to read the network.
 */
export const BACKFILL_CAUSES = ['Requested', 'Revived', 'LateStart'] as const;
export type BackfillCause = (typeof BACKFILL_CAUSES)[number];

/** One back-fill reads at most this number of heights. A further back-fill continues where the first one ended. */
export const BACKFILL_BLOCKS_MAX = 1_000_000;

/** An organisation may request a further back-fill while fewer than this number run. */
export const BACKFILLS_RUNNING_MAX = 5;

export type BackfillRef = { readonly orgId: string; readonly id: string; readonly network: string };

/** `pauseMs` is the time until the next round. */
export type BackfillRound = { readonly isOver: boolean; readonly pauseMs: number };
