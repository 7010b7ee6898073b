import { asSuperuser } from './roles';

/** Lets this number of minutes pass for an approval: moves the times of its escalations, voters and notices into the past. */
export async function letPass(databaseName: string, approvalId: string, minutes: number): Promise<void> {
  await asSuperuser(async (client) => {
    const values = [approvalId, minutes];
    await client.query(
      `UPDATE approvals SET groups = (
         SELECT jsonb_agg(CASE WHEN g ? 'escalation' THEN jsonb_set(g, '{escalation,from}', to_jsonb(to_char(
           ((g #>> '{escalation,from}')::timestamptz - make_interval(mins => $2)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
           ELSE g END ORDER BY at)
         FROM jsonb_array_elements(groups) WITH ORDINALITY AS each (g, at))
       WHERE id = $1`,
      values,
    );
    await client.query(
      'UPDATE approval_approvers SET votes_from = votes_from - make_interval(mins => $2) WHERE approval_id = $1',
      values,
    );
    await client.query(
      'UPDATE approval_notices SET date_due = date_due - make_interval(mins => $2) WHERE approval_id = $1 AND date_sent IS NULL',
      values,
    );
  }, databaseName);
}
