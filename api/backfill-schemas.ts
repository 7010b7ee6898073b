import { z } from 'zod';
import { BACKFILL_BLOCKS_MAX, BACKFILL_CAUSES, BACKFILL_STATUSES } from '../domain/backfills';
import { IsoDate } from './http/iso-date';

/** The largest integer that JSON clients read without a loss of precision. */
const HEIGHT_MAX = Number.MAX_SAFE_INTEGER;
const Moment = z.iso.datetime({ offset: true });
const count = z.int().min(0);

export const BackfillBody = z
  .strictObject({
    fromBlock: z
      .int()
      .min(0)
      .max(HEIGHT_MAX)
      .optional()
      .describe(`The earliest block to read, at most ${BACKFILL_BLOCKS_MAX} blocks before \`liveFromBlock\``),
    fromDate: Moment.optional().describe('The earliest time to read, in place of `fromBlock`'),
  })
  .refine(({ fromBlock, fromDate }) => (fromBlock === undefined) !== (fromDate === undefined), {
    path: ['fromBlock'],
    message: 'either fromBlock or fromDate must be given',
  })
  .meta({ id: 'BackfillBody' });

export const rangeOf = ({ fromBlock, fromDate }: z.output<typeof BackfillBody>) => ({
  fromBlock,
  fromDate: fromDate === undefined ? undefined : new Date(fromDate),
});

const Backfill = z
  .object({
    id: z.string(),
    status: z
      .enum(BACKFILL_STATUSES)
      .describe(
        '`Done`: every block down to the requested one was read. `Gap`: no node has `nextBlock`. `Stopped`: the back-fill ' +
          'ended early for the `reason`',
      ),
    cause: z
      .enum(BACKFILL_CAUSES)
      .describe(
        '`Revived`: the watch was archived for a time. `LateStart`: the service knew the address before it began to read the network',
      ),
    fromBlock: z.int().optional().describe('The earliest block to read; absent if `fromDate` decides'),
    fromDate: IsoDate.optional().describe('The earliest time to read; absent if `fromBlock` decides'),
    nextBlock: z
      .int()
      .optional()
      .describe('The block to read next; absent before the first block and after the last block of the chain'),
    blocks: count.describe('The number of blocks that were read'),
    withoutRoot: count.describe('The number of these blocks with a proof weaker than `Root`'),
    withoutTraces: count.describe('The number of these blocks that were not searched for transfers within contract calls'),
    movements: count.describe('The number of movements that were added to the history'),
    reason: z.string().optional().describe('Why the back-fill waits, or why it ended early'),
    dateCreated: IsoDate,
    dateDone: IsoDate.optional().describe('When the back-fill ended; absent while it runs'),
  })
  .meta({ id: 'Backfill' });

export const coverageMembers = {
  liveFromBlock: z
    .int()
    .optional()
    .describe('The history is complete from this block on; absent if no block has been read for the address yet'),
  backfill: Backfill.optional().describe('The last back-fill; absent if there was none'),
};

export const BACKFILL_WORDS =
  'The blocks are read from `liveFromBlock` downwards, with the same proof as new blocks, and `liveFromBlock` falls with each ' +
  'step. A movement from the time before the service knew the address emits no event, and no policy judges it.';
