import { z } from 'zod';
import { createClient } from '../../local/client';
import {
  CHAIN_START,
  type ChainFault,
  type ChainPosition,
  chainCursor,
  followAudit,
  followFeed,
} from '../../platform/hash-chain';
import type { Cell } from '../cases';
import { differs } from '../differs';
import { isReceiptStory, type ReceiptStory } from '../kill-points';
import type { Stage } from '../rig';
import { receivedUnits } from './receipts';
import type { Tenant } from './tenants';

const included = 'wallet.blockchain_event.transfer.included';
const reversed = 'wallet.blockchain_event.transfer.reversed';
const detected = 'wallet.blockchainevent.detected';
/** The events of the movement, with their versions. */
const TOLD: Readonly<Record<ReceiptStory, string>> = {
  received: `1 ${included}, 2 ${detected}`,
  reorganised: `1 ${included}, 2 ${reversed}, 3 ${included}, 4 ${detected}`,
};
/** No organisation of one record has as many events or entries. */
const PAGE_ITEMS = 200;

const Link = z.object({ sequence: z.number(), digest: z.string(), hash: z.string() });
const Content = z.object({ id: z.string(), kind: z.string(), date: z.string(), data: z.record(z.string(), z.unknown()) });
const Head = { nextCursor: z.string(), head: z.object({ sequence: z.number(), hash: z.string() }) };
const Feed = z.object({ items: z.array(Link.extend({ event: Content.extend({ version: z.number() }) })), ...Head });
const AuditLog = z.object({ items: z.array(Link.extend({ entry: Content })), ...Head });
const History = z.object({
  items: z.array(z.object({ direction: z.string(), status: z.string(), value: z.string(), blockNumber: z.number() })),
});
const NetworkScan = z.object({
  scan: z.object({ isComplete: z.boolean(), confirmedTo: z.number(), scannedTo: z.object({ height: z.number() }) }),
});

/** The differences from the required end of a record with an organisation of its own. */
export async function tenantFaults(stage: Stage, cell: Cell, tenant: Tenant): Promise<readonly string[]> {
  const { story } = cell.point;
  return isReceiptStory(story) ? receiptFaults(stage, cell, { tenant, told: TOLD[story] }) : auditFaults(stage, tenant);
}

const clientOf = (stage: Stage, { admin }: Tenant) => createClient(stage.place().apiUrl, admin);

/** The number of rows of an organisation in a table. */
async function countIn(stage: Stage, table: string, { orgId }: Tenant): Promise<string | undefined> {
  const [row] = await stage.sql<{ count: string }>(`SELECT count(*) FROM ${table} WHERE org_id = $1`, [orgId]);
  return row?.count;
}

/** The payment must be in the history, in the feed and among the judged payments exactly once, and no block may be missing. */
async function receiptFaults(
  stage: Stage,
  cell: Cell,
  { tenant, told }: { readonly tenant: Tenant; readonly told: string },
): Promise<readonly string[]> {
  const { wallet, point } = cell;
  const { items } = await clientOf(stage, tenant).get(`/wallets/${wallet?.id}/history`, History);
  const { scan } = await clientOf(stage, tenant).get(`/networks/${point.network}/scan`, NetworkScan);
  const height = items[0]?.blockNumber ?? 0;
  const [rows] = await stage.sql<{ movements: string; judged: string; open: string; live: string }>(
    `SELECT (SELECT count(*) FROM movements WHERE subject_id = $1) AS movements,
       (SELECT count(live_from) FROM watched_addresses WHERE subject_id = $1) AS live,
       (SELECT count(*) || ' of ' || count(date_judged) FROM incoming_transactions WHERE wallet_id = $1) AS judged,
       (SELECT count(*) FROM chain_blocks WHERE network = $2 AND height <= $3 AND state <> 'Read') AS open`,
    [wallet?.id, point.network, height],
  );
  return [
    ...differs(
      'history',
      items.map(({ direction, status, value }) => `${direction} ${status} ${value}`),
      `In Confirmed ${receivedUnits(cell)}`,
    ),
    ...differs('addresses with a first block', rows?.live, 1),
    ...differs('movements', rows?.movements, 1),
    ...differs('payments, and how many of them were judged', rows?.judged, '1 of 1'),
    ...(await feedFaults(stage, tenant, told)),
    ...differs('blocks that are recorded in part', rows?.open, 0),
    ...differs('every block was read', scan.isComplete, true),
    ...(scan.scannedTo.height >= height && scan.confirmedTo >= height ? [] : ['the scan ends before the block of the payment']),
  ];
}

async function feedFaults(stage: Stage, tenant: Tenant, told: string): Promise<readonly string[]> {
  const feed = await clientOf(stage, tenant).get(`/events?limit=${PAGE_ITEMS}`, Feed);
  const moves = feed.items.filter(({ event: { kind } }) => kind.startsWith('wallet.blockchain'));
  return [
    ...chainFaults('the feed', feed, followFeed(tenant.orgId, CHAIN_START, feed.items)),
    ...differs(
      'events in the feed',
      new Set(feed.items.map(({ event }) => event.id)).size,
      await countIn(stage, 'events', tenant),
    ),
    ...differs('events of the payment', moves.map(({ event }) => `${event.version} ${event.kind}`).join(', '), told),
  ];
}

/** Each entry must have one place, the places must be gapless, and the chain must verify. */
async function auditFaults(stage: Stage, tenant: Tenant): Promise<readonly string[]> {
  const log = await clientOf(stage, tenant).get(`/audit-log?limit=${PAGE_ITEMS}`, AuditLog);
  const entries = await countIn(stage, 'audit_entries', tenant);
  return [
    ...chainFaults('the audit log', log, followAudit(tenant.orgId, CHAIN_START, log.items)),
    ...differs('entries with a place', new Set(log.items.map(({ entry }) => entry.id)).size, entries),
    ...differs('places', await countIn(stage, 'audit_places', tenant), entries),
    ...differs('entries without a place', await countIn(stage, 'audit_pending', tenant), 0),
    ...(log.items.length === 0 ? ['the audit log is empty'] : []),
  ];
}

type Page = { readonly items: readonly unknown[]; readonly nextCursor: string; readonly head: ChainPosition };

const chainFaults = (what: string, { items, nextCursor, head }: Page, end: ChainPosition | ChainFault): readonly string[] =>
  'fault' in end
    ? [`the item ${end.sequence} of ${what}: ${end.fault}`]
    : [
        ...differs(`the head of ${what}`, chainCursor(head), nextCursor),
        ...differs(`the number of the last item of ${what}`, end.sequence, items.length),
      ];
