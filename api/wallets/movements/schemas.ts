import { z } from 'zod';
import { DIRECTIONS, MOVEMENT_KINDS } from '../../../domain/movements';
import { NETWORK_NAMES } from '../../../domain/networks';
import { IsoDate } from '../../http/iso-date';
import { NextPageToken, PageQuery } from '../../http/pagination';
import { isInOrder, OUT_OF_ORDER, periodMembers } from '../../http/period';
import { BlockchainEvent, WalletBlockchainEvent } from '../../movement-schemas';

const KINDS_OF_OTHERS = [
  ...([
    'Aip21Transfer',
    'AsaTransfer',
    'AssetTransfer',
    'Cip56Transfer',
    'Cis2Transfer',
    'Cis7Transfer',
    'CoinTransfer',
  ] as const),
  ...(['Hip17Transfer', 'HtsTransfer', 'IouTransfer', 'LockedCoinTransfer', 'Sep41Transfer', 'Snip2Transfer'] as const),
  ...(['Snip3Transfer', 'Tep74Transfer', 'Trc10Transfer', 'Trc20Transfer'] as const),
  ...(['Trc721Transfer', 'Xls33Transfer'] as const),
];

export const HistoryQuery = PageQuery.extend({
  direction: z.enum(DIRECTIONS).optional(),
  kind: z
    .enum([...MOVEMENT_KINDS, ...KINDS_OF_OTHERS])
    .optional()
    .describe('Only movements of this kind; the list is empty for a kind from a family whose blocks are not read'),
  contract: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('Only movements of this token, in the canonical spelling of its address'),
});

export const WalletHistory = z
  .object({
    items: z.array(BlockchainEvent),
    nextPageToken: NextPageToken,
    walletId: z.string(),
    network: z.enum(NETWORK_NAMES),
  })
  .meta({ id: 'WalletHistory' });

const Collectible = z
  .object({
    kind: z.literal('Erc721'),
    contract: z.string(),
    tokenId: z.string().describe('In decimal digits'),
    symbol: z.string().optional().describe('Absent if the contract states no symbol'),
  })
  .meta({ id: 'Erc721Collectible' });

export const WalletNfts = z
  .object({ walletId: z.string(), network: z.enum(NETWORK_NAMES), nfts: z.array(Collectible) })
  .meta({ id: 'WalletNfts' });

export const WalletEvents = z
  .object({
    items: z.array(WalletBlockchainEvent),
    nextPageToken: NextPageToken,
    walletId: z.string(),
    network: z.enum(NETWORK_NAMES),
  })
  .meta({ id: 'WalletEvents' });

export const OrgHistoryQuery = PageQuery.extend(periodMembers).refine(isInOrder, OUT_OF_ORDER);

const units = z.string().optional().describe('In the smallest unit of the asset; absent for a token without amounts');

export const OrgHistory = z
  .object({
    orgId: z.string(),
    items: z.array(
      z
        .object({
          timestamp: IsoDate,
          walletId: z.string(),
          network: z.string(),
          direction: z.enum(DIRECTIONS),
          from: z.string().optional(),
          to: z.string().optional(),
          amount: units,
          tokenId: z.string().optional(),
          asset: z.string().optional().describe('The address of the token, or `Native`'),
          symbol: z.string().optional(),
          decimals: z.string().optional(),
          fee: z.string().optional().describe('In the smallest unit of the native asset; only for the wallet that paid it'),
          feeSymbol: z.string().optional(),
          feeDecimals: z.string().optional(),
          txHash: z.string(),
        })
        .meta({ id: 'OrgHistoryItem' }),
    ),
    nextPageToken: NextPageToken,
  })
  .meta({ id: 'OrgHistory' });
