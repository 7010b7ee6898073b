import { z } from 'zod';
import { INTERFACE_NETWORK_NAMES } from '../../domain/networks';

/** Kinds of networks that the interface knows; of these, only the EVM kind has code here. */
const BLOCKCHAIN_KINDS = [
  ...['Algorand', 'Aptos', 'Bitcoin', 'BitcoinCash', 'Canton', 'Cardano', 'Concordium', 'Cosmos', 'Evm', 'Hedera', 'Icp', 'Iota'],
  ...['Kaspa', 'Near', 'Polymesh', 'Solana', 'Starknet', 'Stellar', 'Substrate', 'Sui', 'Tezos', 'Ton', 'Tron', 'Xrpl'],
] as const;

export const SignatureHex = z.string().regex(/^(0x)?([0-9a-fA-F][0-9a-fA-F])*$/, 'must be hexadecimal digits, two per byte');

export const SIGNATURE_MEMBERS = {
  network: z.enum(INTERFACE_NETWORK_NAMES).optional(),
  blockchainKind: z.enum(BLOCKCHAIN_KINDS).meta({ id: 'BlockchainKind' }).optional(),
  externalId: z.string().min(1).max(50).optional(),
};
