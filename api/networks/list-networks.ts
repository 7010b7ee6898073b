import { z } from 'zod';
import { listNetworks as list } from '../../application/networks/networks';
import { FEE_KINDS } from '../../domain/capabilities';
import { TIER_HAS } from '../../domain/capability-tiers';
import { KEY_CURVES, KEY_SCHEMES } from '../../domain/keys';
import { CHAIN_NETWORK_NAMES, NETWORK_STATUSES } from '../../domain/networks';
import { operation } from '../http/operation';

const Network = z
  .object({
    name: z.enum(CHAIN_NETWORK_NAMES),
    family: z.string().describe('Group of chains that work alike'),
    scheme: z.enum(KEY_SCHEMES),
    curve: z.enum(KEY_CURVES),
    nativeAsset: z.object({
      symbol: z.string().optional(),
      decimals: z.number().int().describe('One whole asset has 10^decimals smallest units'),
    }),
    slip44: z.number().int().describe('Coin type of SLIP-44'),
    chainId: z.string().optional().describe('The chain ID of EIP-155, or the hash of a block unique to this chain'),
    addressForm: z.string().optional().describe('The form of addresses on a network that this release does not support'),
    explorerTxUrl: z.string().optional().describe('{txHash} is the placeholder for the transaction ID'),
    isMainnet: z.boolean(),
    standing: z
      .enum(NETWORK_STATUSES)
      .describe('Deprecated: still runs but has a successor; Retired: no longer runs; Unclear: no source identifies the chain'),
    note: z.string().optional().describe('Why the status is not `Live`'),
    tier: z
      .union([z.literal(1), z.literal(2), z.literal(3)])
      .describe('How much the nodes of the network can report; see docs/networks.md'),
    tierHas: z
      .array(z.enum(TIER_HAS[1]))
      .describe('Features in this tier; an operation that needs any other feature returns 404'),
    isServed: z.boolean().describe('Whether this release supports the family of the network'),
    isEnabled: z.boolean().describe('Whether this service has nodes for the network'),
    finality: z
      .object({
        confirmations: z
          .number()
          .int()
          .describe('Number of blocks, including the block of the transaction, after which the transaction is final'),
      })
      .optional()
      .describe('Absent for a network that this release does not support'),
    capabilities: z
      .object({
        transferKinds: z.array(z.string()).describe('The values of kind that a transfer may have'),
        options: z.array(z.string()).describe('Further members accepted in a transfer'),
        fees: z.enum(FEE_KINDS).describe('The kind of the fee estimates that `getFees` returns'),
        cancel: z.boolean().describe('Whether a transaction that is not final can be cancelled'),
        speedUp: z.boolean().describe('Whether a transaction that is not final can be sped up'),
        replacementNeeds: z
          .string()
          .optional()
          .describe('The option that a transfer needs so that it can be cancelled or sped up'),
      })
      .optional()
      .describe('Absent for a network that this release does not support'),
  })
  .meta({ id: 'NetworkRecord' });

export const listNetworks = operation({
  id: 'listNetworks',
  method: 'get',
  path: '/networks',
  tag: 'networks',
  summary: 'List all networks with their capabilities',
  description:
    'Returns every network of the interface in one response, including networks that cannot be used here: `isServed` states ' +
    'whether this release supports the family of the network, and `isEnabled` states whether this installation has nodes for ' +
    'the network. The response does not depend on the caller or the organisation.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({}),
  query: z.object({}),
  body: z.unknown(),
  response: z.object({ items: z.array(Network) }),
  handle: async (_input, services) => ({ items: list(services) }),
});
