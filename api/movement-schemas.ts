import { z } from 'zod';
import { DIRECTIONS } from '../domain/movements';
import { NETWORK_NAMES } from '../domain/networks';
import { Quotes } from './quote-schemas';

const Asset = z
  .object({
    symbol: z.string().optional().describe('Absent if unknown'),
    decimals: z.int().optional().describe('Absent if the token names none'),
    verified: z.boolean().optional().describe("True for the native asset and for a token of the network's record"),
    quotes: Quotes.optional().describe('The price of one whole asset at the time of the transfer; absent if unknown'),
  })
  .meta({ id: 'EventAsset' });

const common = {
  walletId: z.string(),
  direction: z.enum(DIRECTIONS).describe('`In` for a wallet that received, `Out` for a wallet that sent or paid the fee'),
  network: z.enum(NETWORK_NAMES),
  blockNumber: z.int(),
  txHash: z.string().describe('The hash of the block for a withdrawal of the beacon chain, which belongs to no transaction'),
  index: z.string().optional().describe('The index of the log within the block; absent if no log reports the movement'),
  timestamp: z.iso.datetime().describe('The time of the block'),
  status: z
    .enum(['Included', 'Confirmed'])
    .optional()
    .describe(
      '`Confirmed` once the block is final by the rule of the network. Absent in an activity, which is judged once final',
    ),
  metadata: z.object({
    asset: Asset,
    fee: Asset.optional().describe('The asset that paid `fee`'),
  }),
  fee: z.string().optional().describe('In the smallest unit of the native asset; only for the wallet that paid it'),
};
const from = z.string().optional().describe('Absent if the chain names no sender');
const to = z.string().optional().describe('Absent if a transaction failed to create a contract');
const parties = { from: z.string(), to: z.string() };
const value = z.string().describe('In the smallest unit of the asset');
const deprecated = {
  symbol: z.string().optional().meta({ deprecated: true, description: 'Use `metadata.asset.symbol`' }),
  decimals: z.int().meta({ deprecated: true, description: 'Use `metadata.asset.decimals`; 0 if the token names none' }),
  verified: z.boolean().optional().meta({ deprecated: true, description: 'Use `metadata.asset.verified`' }),
};
const nativeSymbol = z.string().meta({ deprecated: true, description: 'Use `metadata.asset.symbol`' });
const contract = z.string().describe('The address of the token');

/** The variants that this service produces. The published interface has more, for families that it does not read. */
export const BlockchainEvent = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('NativeTransfer'), ...common, from, to, value, ...deprecated, symbol: nativeSymbol })
      .meta({ id: 'EventNativeTransfer' }),
    z
      .object({ kind: z.literal('Erc20Transfer'), ...common, contract, ...parties, value, ...deprecated })
      .meta({ id: 'EventErc20Transfer' }),
    z
      .object({
        ...{ kind: z.literal('Erc721Transfer'), ...common, contract, ...parties },
        tokenId: z.string().describe('In decimal digits'),
        symbol: deprecated.symbol,
        verified: deprecated.verified,
      })
      .meta({ id: 'EventErc721Transfer' }),
    z
      .object({
        ...{ kind: z.literal('Erc7984Transfer'), ...common, contract, ...parties },
        value: z.literal('Unknown').describe('Only the network can read the amount'),
        ...deprecated,
      })
      .meta({ id: 'EventErc7984Transfer' }),
  ])
  .meta({ id: 'BlockchainEvent', description: 'One movement of one asset into or out of a wallet, as a block reports it' });
