import { END_USER_NETWORKS } from '../../domain/charters';
import { auditEntryStore } from '../audit-logs/audit-entry.store';
import type { Reader, Tx } from '../database';
import { CharterEntity } from './charter.entity';
import { CharterHeadEntity } from './charter-head.entity';

export type SeenHead = Pick<CharterHeadEntity, 'sequence' | 'digest'>;
type HeadPage = { readonly after: string | undefined; readonly limit: number };

/** SQL: the place of a head in the history. Two heads can have the same sequence. */
const PLACE = `lpad(t.sequence::text, 10, '0') || '-' || left(t.digest, 40)`;

const CAN_VOTE = '@.operations[*] == "createApprovalDecision"';
/** SQL: true if this member of the charter has a credential whose votes the signer accepts. */
const VOTES = `CASE
  WHEN (m.one->'isServiceAccount')::boolean OR NOT c.content @> '{"seen":{"operations":["createApprovalDecision"]}}'
    OR jsonb_array_length(c.content->'seen'->'origins') > 0
  THEN jsonb_path_exists(m.one, '$.credentials[*] ? (${CAN_VOTE})')
  ELSE jsonb_path_exists(m.one, '$.credentials[*] ? (@.kind == "Key" && ${CAN_VOTE})') END`;

export const charterStore = {
  /** True if the signer has reported a charter of the organisation. */
  async isKnown(reader: Reader): Promise<boolean> {
    return (await reader.select('SELECT 1 FROM charters')).length > 0;
  },

  /**
   * True if the known charter allows no credential to perform the operation. False for an organisation without a known charter.
   */
  async lacks(reader: Reader, operation: string): Promise<boolean> {
    const path = '$.members[*].credentials[*].operations[*] ? (@ == $operation)';
    const rows = await reader.select(
      `SELECT 1 FROM charters c WHERE NOT jsonb_path_exists(c.text::jsonb, '${path}', jsonb_build_object('operation', $1::text))`,
      [operation],
    );
    return rows.length > 0;
  },

  /**
   * The members whose approving votes the signer can accept; undefined without a known charter. If the charter requires that
   * people see the content that they approve, a passkey is accepted only on a page that the charter lists.
   */
  async voters(reader: Reader, orgId: string): Promise<ReadonlySet<string> | undefined> {
    const [found] = await reader.select<{ ids: readonly string[] }>(
      `SELECT coalesce(array_agg(m.one->>'userId') FILTER (WHERE ${VOTES}), '{}') AS ids
       FROM (SELECT org_id, text::jsonb AS content FROM charters WHERE org_id = $1 OFFSET 0) c
       LEFT JOIN LATERAL jsonb_array_elements(c.content->'members') m(one) ON true GROUP BY c.org_id`,
      [orgId],
    );
    return found && new Set(found.ids);
  },

  /**
   * The origins of the pages that show the content of this operation to the person who signs it. Undefined if people may sign the
   * operation without seeing the content, or without a known charter.
   */
  async seenOrigins(reader: Reader, operation: string): Promise<readonly string[] | undefined> {
    const [found] = await reader.select<Pick<CharterEntity, 'seen'>>('SELECT seen FROM charters');
    return found?.seen?.operations.includes(operation) === true ? found.seen.origins : undefined;
  },

  /** The mainnets that the known charter lists; empty without a known charter. */
  async mainnets(reader: Reader): Promise<ReadonlySet<string>> {
    const [found] = await reader.select<Pick<CharterEntity, 'mainnets'>>('SELECT mainnets FROM charters');
    return new Set(found?.mainnets ?? []);
  },

  /**
   * The networks on which the known charter lets end users sign. Undefined if the charter does not serve end users, or without a
   * known charter.
   */
  async endUsers(reader: Reader): Promise<(typeof END_USER_NETWORKS)[number] | undefined> {
    const [found] = await reader.select<{ networks: string | null }>(
      `SELECT text::jsonb->'endUsers'->>'networks' AS networks FROM charters WHERE strpos(text, '"endUsers"') > 0`,
    );
    return END_USER_NETWORKS.find((one) => one === found?.networks);
  },

  /** True if the known charter lists one of these credentials for this member. */
  async hasCredential(reader: Reader, userId: string, credentialIds: readonly string[]): Promise<boolean> {
    const path = '$.members[*] ? (@.userId == $user).credentials[*].id';
    const rows = await reader.select(
      `SELECT 1 FROM charters c, jsonb_path_query(c.text::jsonb, '${path}', jsonb_build_object('user', $1::text)) id
       WHERE id #>> '{}' = ANY($2)`,
      [userId, credentialIds],
    );
    return rows.length > 0;
  },

  /**
   * How long an approved export must wait. Null if the known charter does not allow exports, undefined without a known charter.
   */
  async exportWaitHours(reader: Reader): Promise<number | null | undefined> {
    const [found] = await reader.select<{ hours: number | null }>(
      `SELECT (text::jsonb->'exports'->>'waitHours')::int AS hours FROM charters`,
    );
    return found?.hours;
  },

  async find(reader: Reader): Promise<CharterEntity | undefined> {
    return reader.row(CharterEntity, '');
  },

  /**
   * The digest is null for an organisation without a known charter. Returns undefined if the organisation is not in this
   * database.
   */
  async standing(reader: Reader, orgId: string): Promise<{ readonly digest: string | null } | undefined> {
    const [found] = await reader.select<{ digest: string | null }>(
      'SELECT c.digest FROM organizations o LEFT JOIN charters c ON c.org_id = o.id WHERE o.id = $1',
      [orgId],
    );
    return found;
  },

  async see(tx: Tx, { sequence, digest, text }: SeenHead & Pick<CharterEntity, 'text'>): Promise<void> {
    await tx.query(
      `INSERT INTO charters (org_id, sequence, digest, text) VALUES ($1, $2, $3, $4)
       ON CONFLICT (org_id) DO UPDATE SET sequence = EXCLUDED.sequence, digest = EXCLUDED.digest, text = EXCLUDED.text,
         date_seen = clock_timestamp()`,
      [tx.orgId, sequence, digest, text],
    );
    await charterStore.seeHead(tx, { sequence, digest });
  },

  async seeHead(tx: Tx, { sequence, digest }: SeenHead): Promise<void> {
    const isNew = await tx.insertOnce(CharterHeadEntity, { orgId: tx.orgId, sequence, digest });
    if (isNew) await auditEntryStore.add(tx, { kind: 'Charter', data: { sequence, digest } });
  },

  /** Newest first, plus one row if there is a next page. `id` is the place of the head. */
  async heads(
    reader: Reader,
    { after, limit }: HeadPage,
  ): Promise<(SeenHead & { readonly id: string; readonly dateSeen: Date })[]> {
    return reader.select(
      `SELECT ${PLACE} AS id, t.sequence, t.digest, t.date_seen AS "dateSeen" FROM charter_heads t
       WHERE ($1::text IS NULL OR (${PLACE}) COLLATE "C" < $1) ORDER BY (${PLACE}) COLLATE "C" DESC LIMIT $2`,
      [after ?? null, limit + 1],
    );
  },
};
