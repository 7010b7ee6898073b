import type { ActivityKind, PolicyInForce } from '../../domain/policies';
import type { Reader } from '../../entities/database';
import { policyStore } from '../../entities/policies/policy.store';
import { RegistryAddressEntity } from '../../entities/registry/registry-address.entity';
import { needsOf } from '../../policy/needs';
import { listedAddresses } from '../registry/listed-addresses';
import type { Omission } from './omission';

type ListedEntry = { readonly id: string; readonly network: string; readonly address: string };
type Read = {
  readonly policies: readonly PolicyInForce[];
  readonly changePolicies: readonly PolicyInForce[];
  readonly exportPolicies: readonly PolicyInForce[];
  readonly registryAddresses: readonly ListedEntry[];
  readonly omitted: readonly Omission[];
};

/**
 * The policies in force for signing, policy changes and key exports, with the current addresses of the registry entries that the
 * policies name.
 */
export async function signingPolicies(reader: Reader): Promise<Read> {
  const policies = await inForce(reader, 'Wallets:Sign');
  const changePolicies = await inForce(reader, 'Policies:Modify');
  const exportPolicies = await inForce(reader, 'Keys:Export');
  const { registryAddressIds: ids } = needsOf(policies);
  const rows = await reader.rows(RegistryAddressEntity, 'WHERE t.id = ANY($1)', [ids]);
  const registryAddresses: ListedEntry[] = [];
  for (const network of new Set(rows.map((row) => row.network))) {
    const listed = await listedAddresses(reader, ids, network);
    registryAddresses.push(...Object.entries(listed).map(([id, address]) => ({ id, network, address })));
  }
  registryAddresses.sort((one, other) => (one.id < other.id ? -1 : 1));
  const listed = new Set(registryAddresses.map(({ id }) => id));
  const omitted = ids
    .filter((id) => !listed.has(id))
    .map((id) => ({ subject: id, reason: 'the entry of the registry was deleted or is still in its cooling period' }));
  return { policies, changePolicies, exportPolicies, registryAddresses, omitted };
}

async function inForce(reader: Reader, activity: ActivityKind): Promise<PolicyInForce[]> {
  const stored = await policyStore.inForce(reader, activity);
  return stored.map(({ id, name, version, activityKind, rule, action, filters, mode }) => ({
    ...{ id, name, version, activityKind, rule, action, filters, mode },
  }));
}
