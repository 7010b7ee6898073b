import { type Found, markDropped, markIncluded, settle } from '../../../application/outgoing/end/settle';
import type { BlockRef, Gateway, Network, Receipt } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import type { Database } from '../../../entities/database';
import type { OpenPayload, OpenPayloads } from '../../../entities/outgoing/open-payloads';
import type { BlockShelf } from '../../block-shelves';
import type { LaneCareRequests } from '../lanes/request-lane-care';
import { blocksAfter, shelvedBlocks } from './new-blocks';
import { createReceiptConsistency, type ReceiptConsistency, receiptsOf } from './receipt-consistency';
import { createResender } from './resend';
import { createReversalWatch } from './reversal-watch';

type Dependencies = {
  readonly db: Database;
  readonly gateway: Gateway;
  /**
   * The shelf contains the blocks that the scanner of the network reads in this process. Without a shelf, the follower reads
   * each block.
   */
  readonly shelf?: Pick<BlockShelf, 'kept' | 'body'> | undefined;
  readonly openPayloads: OpenPayloads;
  readonly network: Network;
  readonly onAlarm?: OnAlarm;
  readonly callForCare?: LaneCareRequests | undefined;
};

/** Called after the changed rows of the transfers are committed. */
export type OnAlarm = (kind: ChainAlarm, transferIds: readonly string[]) => void;
export const CHAIN_ALARMS = ['Reversed', 'SpentElsewhere'] as const;
export type ChainAlarm = (typeof CHAIN_ALARMS)[number];

export type Follower = {
  /** Returns whether any payload is open: the next poll then comes soon. */
  readonly step: () => Promise<boolean>;
};

/**
 * The maximum number of payloads in one database transaction. After a long outage, thousands of transfers become final at once.
 */
const SETTLED_AT_ONCE_MAX = 50;

type Sources = Pick<Dependencies, 'gateway' | 'shelf' | 'openPayloads' | 'network'> & { readonly doubts: ReceiptConsistency };

/** `hashes` is `all` if the blocks since the last poll are unknown. */
async function newlyIncluded(
  { gateway, shelf, openPayloads, network, doubts }: Sources,
  cursor: BlockRef | undefined,
  head: BlockRef,
): Promise<{ readonly open: readonly OpenPayload[]; readonly hashes: ReadonlySet<string> | 'all' }> {
  const blocks = cursor === undefined ? undefined : await blocksAfter({ gateway, shelf }, cursor, head);
  doubts.learn(blocks);
  if (blocks === undefined) doubts.learn(shelvedBlocks(shelf, head));
  // Bytes are committed before they are sent, so rows that are read after the blocks cover every payload in these blocks.
  const open = await openPayloads.of(network.name);
  return { open, hashes: blocks === undefined ? 'all' : new Set(blocks.flatMap(({ txHashes }) => txHashes)) };
}

/**
 * Follows one network for all transfers together (P2). Waits for the network's number of confirmations, and then checks again
 * for reorganisations.
 */
export function createFollower({
  db,
  gateway,
  shelf,
  openPayloads,
  network,
  callForCare,
  onAlarm = () => undefined,
}: Dependencies): Follower {
  const doubts = createReceiptConsistency(gateway);
  const onReversed = (ids: readonly string[]) => onAlarm('Reversed', ids);
  const watch = createReversalWatch({ db, gateway, openPayloads, network, doubts, onReversed });
  let cursor: BlockRef | undefined;
  /** Included transactions with a missing or contradictory receipt. Every poll queries these transactions again. */
  let unclear: ReadonlySet<string> = new Set();
  const resender = createResender({ db, gateway, onAlarm, callForCare });

  return {
    step: async () => {
      // Without a cursor, the last poll found nothing. The node is queried only if one of these database queries finds something.
      if (cursor === undefined && !(await openPayloads.anywhere(network.name)) && !(await watch.isDue())) return false;
      const head = await gateway.head();
      const { open, hashes } = await newlyIncluded({ gateway, shelf, openPayloads, network, doubts }, cursor, head);
      const isWatching = await watch.look(head, hashes === 'all');
      if (open.length === 0) {
        cursor = isWatching ? head : undefined;
        return false;
      }
      const isDeep = (height: number) => head.height - height + 1 >= network.confirmations;
      const ripe = ({ includedHeight }: OpenPayload) => includedHeight !== null && isDeep(includedHeight);
      const inBlock = ({ txHash }: OpenPayload) => unclear.has(txHash) || (hashes !== 'all' && hashes.has(txHash));
      const isDue = resender.isDue();
      // Third parties may execute a user operation at any time, even long after our transaction was included.
      const mayEnd = ({ operationHash }: OpenPayload) => isDue && operationHash !== null;
      const asked = open.filter((payload) => hashes === 'all' || inBlock(payload) || ripe(payload) || mayEnd(payload));
      const receipts = await receiptsOf(gateway, asked);
      const heard = heardOf(asked, receipts);
      const final = ({ receipt }: Found) => isDeep(receipt.height);
      const found = await doubts.inTheirBlocks(heard, final);
      const missing = asked.filter((payload) => payload.state === 'Included' && !receipts.has(payload.txHash));
      const dropped = await doubts.outOfTheirBlocks(missing);

      const young = found.filter((one) => !final(one));
      await noteIncluded(db, young.filter(moved));
      await noteDropped(db, dropped);
      const ends = found.filter(final);
      const sure = [...ends.filter((one) => !moved(one)), ...(await doubts.saidTwice(ends.filter(moved)))];
      const contradicting = await settleAll(db, network, onAlarm, sure);
      await noteIncluded(db, doubts.outlasted(contradicting));
      const clear = new Set([...young, ...sure].map(({ payload }) => payload.txHash));
      const toAskAgain = asked.filter(
        (payload) => !clear.has(payload.txHash) && (receipts.has(payload.txHash) || inBlock(payload)),
      );
      unclear = new Set(toAskAgain.map(({ txHash }) => txHash));
      cursor = head;

      if (resender.isDue()) {
        const settled = new Set(heard.map(({ payload }) => payload.id));
        const lost = open.filter(({ id, state }) => state !== 'Included' && !settled.has(id));
        await resender.resend(lost, head.height);
      }
      const doubted =
        missing.length - dropped.length + heard.length - found.length + (ends.length - sure.length) + contradicting.length;
      if (doubted > 0) {
        throw new AppError('NetworkUnavailable', `The node of ${network.name} contradicts itself about ${doubted} transactions`);
      }
      return open.length > 0;
    },
  };
}

const heardOf = (asked: readonly OpenPayload[], receipts: ReadonlyMap<string, Receipt>): readonly Found[] =>
  asked.flatMap((payload) => {
    const receipt = receipts.get(payload.txHash);
    return receipt ? [{ payload, receipt }] : [];
  });

const moved = ({ payload, receipt }: Found): boolean => payload.includedHash !== receipt.blockHash;

const noteIncluded = (db: Database, found: readonly Found[]): Promise<void> =>
  perOrganization(
    found,
    ({ payload }) => payload.orgId,
    (orgId, some) => markIncluded(db, orgId, some),
  );

const noteDropped = (db: Database, dropped: readonly OpenPayload[]): Promise<void> =>
  perOrganization(
    dropped,
    ({ orgId }) => orgId,
    (orgId, some) => markDropped(db, orgId, some),
  );

/** Returns the payloads whose receipt contains the recorded block but a different outcome. */
async function settleAll(db: Database, network: Network, onAlarm: OnAlarm, sure: readonly Found[]): Promise<readonly Found[]> {
  const contradicting: Found[] = [];
  await perOrganization(
    sure,
    ({ payload }) => payload.orgId,
    async (orgId, some) => {
      const settled = await settle(db, orgId, network.name, some);
      contradicting.push(...settled.contradicting);
      if (settled.foreign.length > 0) onAlarm('SpentElsewhere', settled.foreign);
    },
  );
  return contradicting;
}

/** Throws the first error only at the end, because one organisation must not block the others. */
async function perOrganization<T>(
  items: readonly T[],
  orgOf: (item: T) => string,
  run: (orgId: string, some: readonly T[]) => Promise<unknown>,
): Promise<void> {
  const portions = new Map<string, T[][]>();
  for (const item of items) {
    const ofOrg = portions.get(orgOf(item)) ?? [];
    const last = ofOrg.at(-1);
    if (last && last.length < SETTLED_AT_ONCE_MAX) last.push(item);
    else portions.set(orgOf(item), [...ofOrg, [item]]);
  }
  const failures: unknown[] = [];
  for (const [orgId, ofOrg] of portions) {
    for (const some of ofOrg) await run(orgId, some).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
