import { CHAIN_START, type ChainFault, type ChainLink, type ChainPosition, chainCursor } from '../../platform/hash-chain';
import type { Client } from '../support/client';
import { call } from './calls';

type Follow<Item> = (orgId: string, position: ChainPosition, items: readonly Item[]) => ChainPosition | ChainFault;

/** Every item of the feed or of the audit log of an organisation. Throws if the chain does not verify. */
export async function readChain<Item extends ChainLink>(
  admin: Client,
  operationId: 'listEvents' | 'listAuditEntries',
  orgId: string,
  follow: Follow<Item>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let position: ChainPosition = CHAIN_START;
  for (;;) {
    const query: string = items.length === 0 ? '?limit=2' : `?limit=500&after=${chainCursor(position)}`;
    const page = await call<{ readonly items: readonly Item[] }>(admin, operationId, { query });
    if (page.items.length === 0) return items;
    const end = follow(orgId, position, page.items);
    if ('fault' in end) throw new Error(`${operationId}: ${end.fault} at ${end.sequence}`);
    position = end;
    items.push(...page.items);
  }
}
