import type { Client } from 'pg';
import { type AuditedCommand, type NewAuditEntry, REFUSALS_PER_HOUR_MAX, type Refusal } from '../../domain/audit';
import { newId } from '../../platform/ids';
import { ALL_ROWS } from '../backup/permit';
import type { Tx } from '../database';
import { AuditEntryEntity } from './audit-entry.entity';

/** An advisory lock per user. Its key consists of this number and a hash of the user. */
const REFUSAL_LOCKS = 7_203_117;

export const auditEntryStore = {
  /** The entry is written in the same transaction as the act that it records. */
  async add(tx: Tx, { kind, data }: NewAuditEntry): Promise<void> {
    await tx.insert(AuditEntryEntity, { orgId: tx.orgId, id: newId('auditEntry'), kind, data });
  },

  async command(tx: Tx, command: AuditedCommand, details: Readonly<Record<string, string | boolean>>): Promise<void> {
    await auditEntryStore.add(tx, { kind: 'OperatorCommand', data: { command, details } });
  },

  /**
   * Returns false, and adds nothing, if the user already has `REFUSALS_PER_HOUR_MAX` refusals in the last hour. The last refusal
   * that is added has the mark `furtherOmitted`.
   */
  async addRefusal(tx: Tx, refusal: Refusal): Promise<boolean> {
    await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [REFUSAL_LOCKS, `${tx.orgId}/${refusal.userId}`]);
    const added = await tx.query(
      `INSERT INTO audit_entries (org_id, id, kind, data)
       SELECT $1, $2, 'Refusal', $3::jsonb || jsonb_build_object('furtherOmitted', count(*) = $5 - 1) FROM audit_entries t
       WHERE t.org_id = $1 AND t.kind = 'Refusal' AND t.data ->> 'userId' = $4
         AND t.date_created > clock_timestamp() - interval '1 hour'
       HAVING count(*) < $5 RETURNING 1`,
      [tx.orgId, newId('auditEntry'), JSON.stringify(refusal), refusal.userId, REFUSALS_PER_HOUR_MAX],
    );
    return added.length > 0;
  },

  /**
   * Adds a command that concerns the whole deployment to the log of each organisation. `client` is in a transaction of the owner
   * role. Does nothing if the schema is from an earlier release, because an emergency must not wait for an upgrade.
   */
  async commandOnAll(client: Client, command: AuditedCommand, details: Readonly<Record<string, string>>): Promise<void> {
    const { rows } = await client.query<{ there: boolean }>(`SELECT to_regclass('public.audit_entries') IS NOT NULL AS there`);
    if (!rows[0]?.there) return;
    await client.query(ALL_ROWS);
    await client.query(
      `INSERT INTO audit_entries (org_id, id, kind, data)
       SELECT o.id, $1, 'OperatorCommand', $2::jsonb FROM organizations o ORDER BY o.id`,
      [newId('auditEntry'), JSON.stringify({ command, details })],
    );
  },
};
