import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { fundedWallet, ok, RECIPIENT } from '../support/story';
import { WEBHOOK_SECRET } from '../support/travel-rule';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Named = { readonly id: string };
type Freeze = Named & { readonly dateSignerTold?: string };

const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const ABI = [
  {
    type: 'function',
    name: 'deposit',
    stateMutability: 'payable',
    inputs: [{ name: 'beneficiary', type: 'address' }],
    outputs: [],
  },
  {
    type: 'event',
    name: 'Deposited',
    inputs: [
      { name: 'beneficiary', type: 'address', indexed: true },
      { name: 'amount', type: 'uint256' },
    ],
  },
];

/** The admin registers, reads, changes and deletes known addresses and contracts. */
export async function registryStory(admin: Client): Promise<void> {
  await call(admin, 'listNetworks');
  const entry = { name: 'Exchange, cold storage', network: 'EthereumSepolia', address: RECIPIENT };
  const { id: addressId } = await call<Named>(admin, 'createRegistryAddress', { body: entry });
  const params = { addressId };
  await call(admin, 'listRegistryAddresses', { query: `?network=EthereumSepolia&address=${RECIPIENT}` });
  await call(admin, 'getRegistryAddress', { params });
  await call(admin, 'updateRegistryAddress', { params, body: { name: 'Exchange, hot wallet', address: CONTRACT } });
  await call(admin, 'deleteRegistryAddress', { params });

  const body = { name: 'Savings vault', network: 'EthereumSepolia', contract: CONTRACT, abi: ABI };
  const { id: contractSchemaId } = await call<Named>(admin, 'createContractSchema', { body });
  await call(admin, 'listContractSchemas', { query: '?network=EthereumSepolia&status=Active' });
  await call(admin, 'getContractSchema', { params: { contractSchemaId } });
  await call(admin, 'deleteContractSchema', { params: { contractSchemaId } });
}

/** The admin freezes a wallet, and releases the freeze. */
export async function freezeStory(service: JoinedService, admin: Client): Promise<void> {
  const { id } = await fundedWallet(service, admin, { name: 'Treasury' });
  const body = { target: { kind: 'Wallet', id }, reason: 'The laptop of an approver is lost' };
  const { id: freezeId } = await call<Freeze>(admin, 'createFreeze', { body });
  await waitUntil('the signer to apply the freeze', async () => {
    return ((await admin.get(`/freezes/${freezeId}`)).body as Freeze).dateSignerTold !== undefined;
  });
  await call(admin, 'getFreeze', { params: { freezeId } });
  await call(admin, 'listFreezes', { query: '?status=Active&targetKind=Wallet' });
  await call(admin, 'releaseFreeze', { params: { freezeId } });
}

/** The admin connects a vendor, tests the connection and disconnects the vendor. */
export async function integrationsStory(admin: Client): Promise<void> {
  const params = { integrationKind: 'TravelRule' };
  const body = { apiKey: 'the-api-key-of-the-vendor', webhookSecret: WEBHOOK_SECRET };
  await call(admin, 'activateIntegration', { params, body });
  ok(await admin.change('PUT', '/integrations/KytA', { apiKey: 'the-api-key-of-another-vendor' }));
  await call(admin, 'listIntegrations');
  await call(admin, 'getIntegration', { params });
  const tested = await call<{ readonly ok: boolean }>(admin, 'testIntegration', { params });
  if (!tested.ok) throw new Error(`the vendor refused: ${JSON.stringify(tested)}`);
  await call(admin, 'deactivateIntegration', { params });
}
