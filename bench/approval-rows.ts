import type { Client } from 'pg';
import type { HeldTransfer } from './held-transfers';
import { idOf, sqlId } from './transfer-rows';

/** The number of users who are approvers in every approval. */
const COLLEAGUES = 4;
/** The number of further approvers, who take turns: each of them is an approver in every 46th approval. */
const OTHERS = 46;
/** The number of users who request transfers and are not approvers. */
const INITIATORS = 50;

/** `colleagues` are the approvers of every approval, and `all` are all new users. */
export type ApprovalPeople = { readonly colleagues: readonly string[]; readonly all: readonly string[] };

/** Inserts the users for the approvals. The users have the same permissions as the user `likeId`. */
export async function writePeople(postgres: Client, likeId: string): Promise<ApprovalPeople> {
  const count = COLLEAGUES + OTHERS + INITIATORS;
  await postgres.query(
    `INSERT INTO users (org_id, id, username, name, kind, is_registered)
     SELECT org_id, ${sqlId('us', 'n')}, 'person-' || n || '@strongroom.local', 'Person ' || n, kind, true
     FROM users CROSS JOIN generate_series(0, $2 - 1) n WHERE id = $1`,
    [likeId, count],
  );
  await postgres.query(
    `INSERT INTO permission_assignments (org_id, id, permission_id, user_id)
     SELECT org_id, ${sqlId('as', 'n')}, permission_id, ${sqlId('us', 'n')}
     FROM permission_assignments CROSS JOIN generate_series(0, $2 - 1) n WHERE user_id = $1 AND token_id IS NULL`,
    [likeId, count],
  );
  const all = Array.from({ length: count }, (_person, n) => idOf('us', n));
  return { colleagues: all.slice(0, COLLEAGUES), all };
}

type Model = { readonly held: HeldTransfer; readonly initiatorId: string; readonly approverId: string };

/**
 * Copies the waiting transfer `held` and its approval. No workflow runs for a copy. In each copy, one of the `OTHERS` replaces
 * `approverId`, and one of the `INITIATORS` replaces `initiatorId`. Returns the ids of the new approvals.
 */
export async function copyHeld(postgres: Client, model: Model, count: number): Promise<readonly string[]> {
  const { held, initiatorId, approverId } = model;
  const { rows } = await postgres.query<{ id: string }>('SELECT id FROM verdicts WHERE activity_id = $1', [held.id]);
  const [verdict, ...more] = rows;
  if (!verdict || more.length > 0) throw new Error(`The transfer ${held.id} has ${rows.length} verdicts`);
  const renamed = [
    [held.id, sqlId('xfr', 'n')],
    [held.approvalId, sqlId('ap', 'n')],
    [verdict.id, sqlId('vd', 'n')],
    [approverId, sqlId('us', `${COLLEAGUES} + n % ${OTHERS}`)],
    [initiatorId, sqlId('us', `${COLLEAGUES + OTHERS} + n % ${INITIATORS}`)],
  ] as const;
  // Nested documents in the row also contain the ids, so the ids are replaced in the JSON text.
  const text = renamed.reduce((sql, [old, fresh]) => `replace(${sql}, '${old}', ${fresh})`, 'to_jsonb(model)::text');
  const copy = (table: string, key: string, id: string) =>
    postgres.query(
      `INSERT INTO ${table} SELECT made.* FROM ${table} model CROSS JOIN generate_series(0, $2 - 1) n
       CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, (${text})::jsonb) made WHERE model.${key} = $1`,
      [id, count],
    );
  await copy('transfers', 'id', held.id);
  await copy('verdicts', 'id', verdict.id);
  await copy('approvals', 'id', held.approvalId);
  await copy('approval_approvers', 'approval_id', held.approvalId);
  await postgres.query('VACUUM ANALYZE transfers, verdicts, approvals, approval_approvers');
  return Array.from({ length: count }, (_approval, n) => idOf('ap', n));
}
