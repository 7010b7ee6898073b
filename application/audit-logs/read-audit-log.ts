import type { Reader } from '../../entities/database';
import type { AuditItem, ChainPosition } from '../../platform/hash-chain';
import { CHAINS } from '../hash-chains/chains';
import { readChainPage } from '../hash-chains/read-chain-page';

/** Throws `CursorBeyondAuditLog`, and `CursorOfAnotherAuditLog` for a position that the audit log never had. */
export async function readAuditLog(reader: Reader, page: { readonly after: ChainPosition; readonly limit: number }) {
  const { items, ...rest } = await readChainPage(reader, CHAINS.audit, page);
  return { items: items.map(({ content, ...link }): AuditItem => ({ ...link, entry: content })), ...rest };
}
