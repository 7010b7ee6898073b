export type Found = { readonly org_id: string; readonly id: string; readonly place?: number };
type Notice = {
  /** The change of the schema with which the release came that has this to say. */
  readonly since: string;
  readonly find: string;
  readonly text: (found: Found) => string;
};

/** What became of stored policies with a release, for whoever upgrades: told once, with the change of the schema that came with it. */
const NOTICES: readonly Notice[] = [
  {
    since: 'WithdrawnApprovals20261123080510',
    find: `SELECT p.org_id, p.id, g.place::int FROM policies p
           CROSS JOIN LATERAL jsonb_array_elements(p.action -> 'approvalGroups') WITH ORDINALITY AS g (body, place)
           WHERE p.status = 'Active' AND g.body -> 'serviceAccountsCanApprove' = 'true'
             AND (g.body #> '{approvers,userId}' IS NULL OR g.body ? 'escalation' AND g.body #> '{escalation,approvers,userId}' IS NULL)
           ORDER BY 1, 2, 3`,
    text: ({ org_id, id, place }) =>
      `Policy ${id} of ${org_id}: group ${place} names nobody, so service accounts no longer vote in it; ` +
      `GET /v2/policies/${id}/reachability says whether it can still reach its quorum`,
  },
  {
    since: 'WithdrawnApprovals20261123080510',
    find: `SELECT p.org_id, p.id FROM policies p
           WHERE p.status = 'Active' AND p.activity_kind = 'Wallets:IncomingTransaction' ORDER BY 1, 2`,
    text: ({ org_id, id }) =>
      `Policy ${id} of ${org_id}: nothing reports incoming transactions to this release, so it judges none; such policies are refused now`,
  },
];

/** What the changes that were just made to a schema mean for what is stored in it. `ask` reads the rows of all organisations. */
export async function upgradeNotices(
  done: readonly string[],
  ask: (sql: string) => Promise<readonly Found[]>,
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const { since, find, text } of NOTICES) if (done.includes(since)) told.push(...(await ask(find)).map(text));
  return told;
}
