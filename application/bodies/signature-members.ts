import { z } from 'zod';
import { INTERFACE_NETWORK_NAMES } from '../../domain/networks';

/** The kinds that the interface defines. This service accepts only `Evm` and `Solana`. */
const BLOCKCHAIN_KINDS = [
  ...['Algorand', 'Aptos', 'Bitcoin', 'BitcoinCash', 'Canton', 'Cardano', 'Concordium', 'Cosmos', 'Evm', 'Hedera', 'Icp', 'Iota'],
  ...['Kaspa', 'Near', 'Polymesh', 'Solana', 'Starknet', 'Stellar', 'Substrate', 'Sui', 'Tezos', 'Ton', 'Tron', 'Xrpl'],
] as const;

export const SignatureHex = z.string().regex(/^(0x)?([0-9a-fA-F][0-9a-fA-F])*$/, 'must be hexadecimal digits, two per byte');

export const SIGNATURE_MEMBERS = {
  network: z
    .enum(INTERFACE_NETWORK_NAMES)
    .optional()
    .describe(
      'The network of the signature; in a request to a wallet, the network of the wallet is the default and the only allowed value',
    ),
  blockchainKind: z
    .enum(BLOCKCHAIN_KINDS)
    .meta({ id: 'BlockchainKind' })
    .optional()
    .describe(
      'Kind of the network; it must fit the key and the network, and a kind that this service does not support is refused',
    ),
  externalId: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Makes the call idempotent; unique among the signature requests of the organisation. The organisation can require it (setting `externalIdRequired`)',
    ),
};
