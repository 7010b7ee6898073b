import { z } from 'zod';
import { ADDRESS_WATCH_NETWORKS } from '../domain/address-watches';
import { DIRECTIONS, MOVEMENT_KINDS } from '../domain/movements';
import { NETWORK_NAMES } from '../domain/networks';
import { PageQuery } from './http/pagination';
import { Quotes } from './quote-schemas';

const Asset = z
  .object({
    symbol: z.string().optional().describe('Absent if unknown'),
    decimals: z.int().optional().describe('Absent if the token does not state it'),
    verified: z.boolean().optional().describe("True for the native asset and for a token of the network's record"),
    quotes: Quotes.optional().describe('The price of one whole asset at the time of the transfer; absent if unknown'),
  })
  .meta({ id: 'EventAsset' });

const Status = z.enum(['Included', 'Confirmed']).describe('`Confirmed` once the block is final by the rule of the network');

const common = {
  walletId: z.string(),
  direction: z.enum(DIRECTIONS).describe('`In` for the receiver; `Out` for the sender and for the payer of the fee'),
  network: z.enum(NETWORK_NAMES),
  blockNumber: z.int(),
  txHash: z
    .string()
    .describe(
      'The hash of the transaction; for a withdrawal of the beacon chain, which belongs to no transaction, the hash of the block',
    ),
  index: z.string().optional().describe('The index of the log within the block; absent if no log reports the movement'),
  timestamp: z.iso.datetime().describe('The time of the block'),
  status: z
    .enum(['Included', 'Confirmed'])
    .optional()
    .describe(
      '`Confirmed` once the block is final by the rule of the network. Absent in an activity, because policies judge a ' +
        'movement only once its block is final',
    ),
  metadata: z.object({
    asset: Asset,
    fee: Asset.optional().describe('The asset that paid `fee`'),
  }),
  fee: z
    .string()
    .optional()
    .describe('In the smallest unit of the native asset; present only on the movement of the account that paid it'),
};
const from = z.string().optional().describe('Absent if the chain does not name a sender, or names several senders');
const to = z.string().optional().describe('Absent if the creation of a contract failed, or if there are several receivers');
const parties = { from: z.string(), to: z.string() };
const value = z.string().describe('In the smallest unit of the asset');
const deprecated = {
  symbol: z.string().optional().meta({ deprecated: true, description: 'Use `metadata.asset.symbol`' }),
  decimals: z.int().meta({ deprecated: true, description: 'Use `metadata.asset.decimals`; 0 if the token states no decimals' }),
  verified: z.boolean().optional().meta({ deprecated: true, description: 'Use `metadata.asset.verified`' }),
};
const nativeSymbol = z.string().meta({ deprecated: true, description: 'Use `metadata.asset.symbol`' });
const contract = z.string().describe('The address of the token');

/**
 * The variants that this service produces. The published interface has more variants, for families whose blocks this service does
 * not read.
 */
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
    z
      .object({
        ...{ kind: z.enum(['SplTransfer', 'Spl2022Transfer']), ...common },
        mint: z.string().describe('The address of the token'),
        ...{ from, to, value },
      })
      .meta({ id: 'EventSplTransfer' }),
    z
      .object({
        ...{ kind: z.literal('UtxoTransfer'), ...common },
        froms: z.array(z.string()).describe('All senders; empty if one of them is unknown, and for the reward of a block'),
        tos: z.array(z.string()).describe('`In`: the wallet. `Out`: all recipients except the wallet itself'),
        value: z
          .string()
          .describe(
            'In the smallest unit, without change. If the transaction also spends coins that belong to others, an outgoing ' +
              'value includes the part of the fee that the wallet paid',
          ),
      })
      .meta({ id: 'EventUtxoTransfer' }),
  ])
  .meta({ id: 'BlockchainEvent', description: 'One movement of one asset into or out of a wallet, as a block reports it' });

const watchedVariant = (variant: z.ZodObject): z.ZodObject => {
  const { walletId: _walletId, ...shape } = variant.shape;
  return z
    .object({ addressWatchId: z.string(), ...shape, status: Status })
    .meta({ id: `Watched${String(variant.meta()?.['id'])}` });
};
const [firstVariant, ...otherVariants] = BlockchainEvent.options;

/** The same members as for a wallet, but with the id of the watch instead of the wallet's id. */
export const WatchedMovement = z
  .discriminatedUnion('kind', [watchedVariant(firstVariant), ...otherVariants.map(watchedVariant)])
  .meta({ id: 'AddressWatchHistoryEvent', description: 'One movement of one asset into or out of a watched address' });

const DecodedMovement = z
  .looseObject({
    kind: z.enum(MOVEMENT_KINDS),
    direction: common.direction,
    contract: contract.optional().describe('The contract that emitted the log; absent for the native asset'),
    from,
    to,
    froms: z.array(z.string()).optional().describe('Instead of `from`, on networks of the Bitcoin family'),
    tos: z.array(z.string()).optional().describe('Instead of `to`, on networks of the Bitcoin family'),
    value: z.string().optional().describe('In the smallest unit of the asset; `Unknown` if only the network can read it'),
    tokenId: z.string().optional().describe('In decimal digits'),
    metadata: common.metadata,
  })
  .meta({ id: 'DecodedMovement', description: 'The decoded members of a movement' });

const emitter = z.string().describe('The contract that emitted the log');

const DecodedContractEvent = z
  .object({
    kind: z.literal('ContractEvent'),
    contract: emitter,
    signature: z.string().describe('The name with the types of the parameters, such as `Approval(address,address,uint256)`'),
    standard: z
      .string()
      .optional()
      .describe(
        "The standard of a well-known event, such as `ERC-1155`; absent if the registry's schema of the contract decoded it",
      ),
    args: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'The arguments by name, or by position if they have none: numbers in decimal digits, bytes in hex. An indexed argument ' +
          'longer than a word is its hash. Absent if the arguments exceed 16,384 characters',
      ),
  })
  .meta({ id: 'DecodedContractEvent', description: 'A decoded log that is not a movement' });

const OmittedEvents = z
  .object({
    kind: z.literal('OmittedEvents'),
    contract: emitter.optional().describe('The contract that emitted all these logs; absent if the contracts are unknown'),
    omitted: z.int().describe('The number of further logs of the block that may concern the address and were not decoded'),
  })
  .meta({
    id: 'OmittedEvents',
    description: 'Represents the logs that were left out of a block with too many logs. `name` is `OmittedEvents`',
  });

const DecodedEvent = z
  .discriminatedUnion('kind', [DecodedMovement, DecodedContractEvent, OmittedEvents])
  .meta({ id: 'DecodedEvent', description: 'The decoded members of the event' });

const chainEvent = {
  id: z.string().describe('The ID of the event, which is the same in every delivery and list, so clients can detect duplicates'),
  name: z
    .string()
    .describe('The name of the log, such as `Transfer` or `Approval`; `NativeTransfer` for a transfer that no log reports'),
  blockNumber: common.blockNumber,
  txHash: common.txHash,
  index: z
    .string()
    .describe('The index of the log within the block. Without a log, a number that orders the event within the block'),
  timestamp: common.timestamp,
  status: Status,
  data: DecodedEvent,
};

export const AddressWatchBlockchainEvent = z
  .object({ addressWatchId: z.string(), network: z.enum(ADDRESS_WATCH_NETWORKS), ...chainEvent })
  .meta({ id: 'AddressWatchBlockchainEvent', description: 'One event in a block that concerns a watched address' });

export const WalletBlockchainEvent = z
  .object({ walletId: z.string(), network: z.enum(NETWORK_NAMES), ...chainEvent })
  .meta({ id: 'WalletBlockchainEvent', description: 'One event in a block that concerns a wallet' });

export const BlockchainEventQuery = PageQuery.extend({
  name: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Only events with this name; the list is empty for a name that this service does not decode'),
  contract: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('Only events from this contract, in the canonical spelling of its address'),
  txHash: z.string().min(1).max(128).optional().describe('Only events in this transaction'),
});
