import { freezeInTheWay, reachOfRequest } from '../../../application/freezes/active-freezes';
import { endLapsed } from '../../../application/outgoing/end/expired-transfers';
import { type Found, markDropped, markIncluded, settle } from '../../../application/outgoing/end/settle';
import type { Block, Gateway, Network, Receipt } from '../../../chains/types';
import { AppError } from '../../../domain/errors';
import type { Database } from '../../../entities/database';
import type { OpenPayload, OpenPayloads } from '../../../entities/outgoing/open-payloads';
import { outgoingStore } from '../../../entities/outgoing/outgoing.store';
import { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import type { LaneCalls } from '../lanes/request-lane-care';
import { tellLooseSponsor } from './compromised-sponsors';
import { createReceiptDoubts, receiptsOf } from './receipt-consistency';
import { createReversalWatch } from './reversal-watch';

type Dependencies = {
  readonly db: Database;
  readonly gateway: Gateway;
  readonly openPayloads: OpenPayloads;
  readonly network: Network;
  /** Hears of ends that the chain has undone behind finality, and of claims that somebody else has used up. */
  readonly onAlarm?: OnAlarm;
  readonly callForCare?: LaneCalls | undefined;
};

/** Something that whoever runs the service must hear of: it is behind its commit. */
export type OnAlarm = (kind: ChainAlarm, transferIds: readonly string[]) => void;
export const CHAIN_ALARMS = ['Reversed', 'SpentElsewhere'] as const;
export type ChainAlarm = (typeof CHAIN_ALARMS)[number];

export type Follower = {
  /** Looks once; answers whether anything is open, so that the next look comes soon. */
  readonly step: () => Promise<boolean>;
};

/** Behind by more than this, receipts of what is open are asked for instead of every block in between. */
const CATCH_UP_BLOCKS_MAX = 200;
const RESEND_AFTER_MS = 10_000;
const RESEND_MAX = 50;
/** Transfers settled in one transaction: after a long outage thousands are final at once, and none may wait for all. */
const SETTLED_AT_ONCE_MAX = 50;

type Cursor = { readonly height: number; readonly hash: string };

/**
 * Follows one network set-wise (P2): reads each new block once, matches its transactions with everything open, notes
 * inclusion, waits for the confirmations of the record, and looks again before it believes them (reorganisations). Bytes
 * that the network has forgotten are sent again, the same ones.
 */
export function createFollower({
  db,
  gateway,
  openPayloads,
  network,
  callForCare,
  onAlarm = () => undefined,
}: Dependencies): Follower {
  const doubts = createReceiptDoubts(gateway);
  const onReversed = (ids: readonly string[]) => onAlarm('Reversed', ids);
  const watch = createReversalWatch({ db, gateway, openPayloads, network, doubts, onReversed });
  let cursor: Cursor | undefined;
  /** Transactions that a block holds while what the node says of them was missing or not believed: asked for at every look. */
  let unclear: ReadonlySet<string> = new Set();
  let resentAt = 0;
  let resentLast = '';

  const newlyIncluded = async (
    head: Cursor,
  ): Promise<{ readonly open: readonly OpenPayload[]; readonly hashes: ReadonlySet<string> | 'all' }> => {
    const blocks = cursor === undefined ? undefined : await blocksAfter(cursor, head);
    doubts.learn(blocks);
    // Read after the blocks: bytes are committed before they are sent, so whatever a block holds is in the rows by now.
    const open = await openPayloads.of(network.name);
    return { open, hashes: blocks === undefined ? 'all' : new Set(blocks.flatMap(({ txHashes }) => txHashes)) };
  };

  const blocksAfter = async (from: Cursor, head: Cursor): Promise<readonly Block[] | undefined> => {
    if (head.height < from.height || head.height - from.height > CATCH_UP_BLOCKS_MAX) return undefined;
    const blocks: Block[] = [];
    let parent = from.hash;
    for (let height = from.height + 1; height <= head.height; height += 1) {
      const block = await gateway.block(height);
      if (!block || block.parentHash !== parent) return undefined;
      blocks.push(block);
      parent = block.hash;
    }
    return parent === head.hash ? blocks : undefined;
  };

  const isFrozen = async ({ orgId, transferId }: OpenPayload): Promise<boolean> => {
    const reader = db.read(orgId);
    const row = await outgoingStore.find(reader, transferId);
    return row !== undefined && (await freezeInTheWay(reader, await reachOfRequest(reader, row))) !== undefined;
  };

  const resend = async (lost: readonly OpenPayload[]): Promise<void> => {
    // Each round begins behind the last: what a node never takes must not keep the others from their turn.
    const inTurn = [...lost.filter(({ id }) => id > resentLast), ...lost.filter(({ id }) => id <= resentLast)];
    for (const payload of inTurn.slice(0, RESEND_MAX)) {
      resentLast = payload.id;
      if (await gateway.isKnown(payload.txHash)) continue;
      const row = await db.read(payload.orgId).row(PayloadEntity, 'WHERE t.id = $1', [payload.id]);
      if (!row || row.rawHex === null || row.dateSpentElsewhere !== null) continue;
      const never = await gateway.whyNever?.({ ...row, txHash: payload.txHash, rawHex: row.rawHex });
      if (never !== undefined) {
        const isNew =
          row.operationHash === null
            ? (await endLapsed(db, payload, never)) === 'Foreign'
            : never.isForeign && (await tellLooseSponsor({ db, gateway }, payload, row));
        if (isNew) onAlarm('SpentElsewhere', [payload.transferId]);
      } else if (payload.state !== 'Signed' && !(await isFrozen(payload))) {
        // What is signed and not sent yet its own workflow sends.
        await gateway.broadcast(row.rawHex, payload.txHash);
      }
    }
  };

  return {
    step: async () => {
      // While something was open at the last look, the list itself is read anyway and tells when it is empty.
      if (cursor === undefined && !(await openPayloads.anywhere(network.name)) && !(await watch.isDue())) return false;
      const head = await gateway.head();
      const { open, hashes } = await newlyIncluded(head);
      const isWatching = await watch.look(head, hashes === 'all');
      if (open.length === 0) {
        cursor = isWatching ? head : undefined;
        return false;
      }
      const ripe = (payload: OpenPayload) =>
        payload.includedHeight !== null && head.height - payload.includedHeight + 1 >= network.confirmations;
      const inBlock = ({ txHash }: OpenPayload) => unclear.has(txHash) || (hashes !== 'all' && hashes.has(txHash));
      const isDue = performance.now() - resentAt > RESEND_AFTER_MS;
      // Of an operation others may have the last word at any time, long after a block has taken what was sent here.
      const mayEnd = ({ operationHash }: OpenPayload) => isDue && operationHash !== null;
      const asked = open.filter((payload) => hashes === 'all' || inBlock(payload) || ripe(payload) || mayEnd(payload));
      const receipts = await receiptsOf(gateway, asked);
      const heard = asked.flatMap((payload): Found[] => {
        const receipt = receipts.get(payload.txHash);
        return receipt ? [{ payload, receipt }] : [];
      });
      const found = await doubts.inTheirBlocks(heard);
      const final = ({ receipt }: { readonly receipt: Receipt }) => head.height - receipt.height + 1 >= network.confirmations;
      const missing = asked.filter((payload) => payload.state === 'Included' && !receipts.has(payload.txHash));
      const dropped = await doubts.outOfTheirBlocks(missing);

      await perOrganization(
        found.filter((one) => !final(one) && moved(one)),
        ({ payload }) => payload.orgId,
        (orgId, some) => markIncluded(db, orgId, some),
      );
      await perOrganization(
        dropped,
        ({ orgId }) => orgId,
        (orgId, some) => markDropped(db, orgId, some),
      );
      const ends = found.filter(final);
      const sure = [...ends.filter((one) => !moved(one)), ...(await doubts.saidTwice(ends.filter(moved)))];
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
      await perOrganization(
        doubts.outlasted(contradicting),
        ({ payload }) => payload.orgId,
        (orgId, some) => markIncluded(db, orgId, some),
      );
      const clear = new Set([...found.filter((one) => !final(one)), ...sure].map(({ payload }) => payload.txHash));
      const toAskAgain = asked.filter(
        (payload) => !clear.has(payload.txHash) && (receipts.has(payload.txHash) || inBlock(payload)),
      );
      unclear = new Set(toAskAgain.map(({ txHash }) => txHash));
      cursor = head;

      const now = performance.now();
      if (now - resentAt > RESEND_AFTER_MS) {
        resentAt = now;
        const settled = new Set(heard.map(({ payload }) => payload.id));
        const lost = open.filter(({ id, state }) => state !== 'Included' && !settled.has(id));
        await callForCare?.(lost, head.height);
        await resend(lost);
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

/** True when the receipt stands in another block than the one noted before. */
const moved = ({ payload, receipt }: Found): boolean => payload.includedHash !== receipt.blockHash;

/** Runs the work for each organisation in portions. What fails is thrown in the end, so that it holds up nobody else. */
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
