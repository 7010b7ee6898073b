import { createChainStore } from '../hash-chains/chain-store';
import type { AuditEntryEntity } from './audit-entry.entity';

export type StoredAuditEntry = Pick<AuditEntryEntity, 'id' | 'kind' | 'data' | 'dateCreated'>;

export const auditChainStore = createChainStore<StoredAuditEntry>({
  pending: 'audit_pending',
  heads: 'audit_heads',
  places: 'audit_places',
  checkpoints: 'audit_checkpoints',
  itemId: 'entry_id',
  items: 'audit_entries',
  columns: `e.id, e.kind, e.data, e.date_created AS "dateCreated"`,
});
