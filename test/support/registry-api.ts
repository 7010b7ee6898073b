import { OrganizationEntity } from '../../entities/organizations/organization.entity';
import { registryAddressStore } from '../../entities/registry/registry-address.store';
import type { Person } from './api';
import { startPermissionApi } from './permission-api';

export type Entry = {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly status: string;
  readonly dateActive: string;
};

/** A canonical address, with which a test can compare answers. */
export const PAYEE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const OTHER_PAYEE = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const ABI = [
  {
    type: 'function',
    name: 'transfer',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
    ],
    outputs: [{ type: 'bool' }],
    stateMutability: 'nonpayable',
  },
];

/**
 * The real API with an organisation that has a registry. Each entry gets a fresh address: an address can be added only once.
 */
export async function startRegistryApi() {
  const parts = await startPermissionApi();
  const { admin, body, db, orgId } = parts;
  let given = 0;
  const freshAddress = (): string => {
    given += 1;
    return `0x${given.toString(16).padStart(40, '0')}`;
  };
  return {
    ...parts,
    /** Returns an address that no test has used yet. */
    freshAddress,
    enter: async (set: Record<string, unknown> = {}, by: Person = admin): Promise<Entry> => {
      const entry = { name: 'Payee', network: 'EthereumSepolia', address: freshAddress(), ...set };
      return body<Entry>(await by.client.change('POST', '/registry/addresses', entry));
    },
    entry: (id: string) => registryAddressStore.find(db.read(orgId), id),
    epoch: async () => (await db.read(orgId).row(OrganizationEntity, 'WHERE t.id = $1', [orgId]))?.policyEpoch ?? 0,
  };
}

export type RegistryApi = Awaited<ReturnType<typeof startRegistryApi>>;
