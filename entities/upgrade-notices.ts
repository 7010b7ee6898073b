import { MANAGED_ROLES } from '../domain/managed-roles';
import { switchNotice } from './deployment/switch-usage';
import { FROM_NEWEST_POLICIES } from './policies/policy.store';

export type ReadAllRows = <R extends object>(sql: string) => Promise<readonly R[]>;
type Notice = {
  /** The name of a migration. */
  readonly since: string;
  readonly tell: (ask: ReadAllRows) => Promise<readonly string[]>;
};
type Found = { readonly org_id: string; readonly id: string };

const ROLE_NAMES = MANAGED_ROLES.map(({ name }) => `'${name}'`).join(', ');

/** The operator sees each notice once, when the upgrade runs the migration `since`. */
const NOTICES: readonly Notice[] = [
  { since: 'SignerSwitches20261123080100', tell: switchNotice },
  {
    since: 'WithdrawnApprovals20261123080510',
    tell: async (ask) =>
      (
        await ask<Found>(`SELECT p.org_id, p.id ${FROM_NEWEST_POLICIES}
           WHERE t.status = 'Active' AND t.activity_kind = 'Wallets:IncomingTransaction' ORDER BY 1, 2`)
      ).map(
        ({ org_id, id }) =>
          `Policy ${id} of ${org_id}: nothing reports incoming transactions to this release, so the policy judges none; new policies of this kind are refused`,
      ),
  },
  {
    since: 'ManagedRoles20261123100300',
    tell: async (ask) =>
      (
        await ask<{ readonly org_id: string; readonly name: string }>(
          `SELECT org_id, name FROM permissions WHERE NOT is_managed AND name IN (${ROLE_NAMES}) ORDER BY 1, 2`,
        )
      ).map(
        ({ org_id, name }) =>
          `Organisation ${org_id}: its own permission "${name}" keeps that name and its operations, so the managed permission was not added`,
      ),
  },
];

/** `done` are the migrations that have just run. */
export async function upgradeNotices(done: readonly string[], ask: ReadAllRows): Promise<readonly string[]> {
  const told: string[] = [];
  for (const { since, tell } of NOTICES) if (done.includes(since)) told.push(...(await tell(ask)));
  return told;
}
