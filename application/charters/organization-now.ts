import type { Database } from '../../entities/database';
import { getOrganization } from '../organizations/organizations';
import type { Omission } from './omission';
import type { Allowing } from './signing-credentials';
import { signingMembers } from './signing-members';
import { signingPolicies } from './signing-policies';
import { signingWallets } from './signing-wallets';

/** The content of a charter that is drafted now. */
export type OrganizationNow = Awaited<ReturnType<typeof organizationNow>>;

/** Throws `NotFound`. */
export async function organizationNow(db: Database, orgId: string, allowing: Allowing) {
  const { name } = await getOrganization(db, orgId);
  return db.withOrg(orgId, async (tx) => {
    const { members, names: users, omitted: credentials } = await signingMembers(tx, allowing);
    const { wallets, feeSponsors, names, omitted: holders } = await signingWallets(tx, allowing);
    const { policies, changePolicies, exportPolicies, registryAddresses, omitted: entries } = await signingPolicies(tx);
    const omitted: readonly Omission[] = [...credentials, ...holders, ...entries];
    return {
      name,
      exportPolicies,
      content: { members, wallets, feeSponsors, registryAddresses, policies, changePolicies },
      /** The names of users and wallets, by their ids. */
      names: new Map([...users, ...names]),
      omitted,
    };
  });
}
