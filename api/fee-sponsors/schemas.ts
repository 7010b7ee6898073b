import { z } from 'zod';
import { FEE_SPONSOR_STATUSES } from '../../domain/fee-sponsors';
import { NETWORK_NAMES } from '../../domain/networks';
import { IsoDate } from '../http/iso-date';
import { NextPageToken } from '../http/pagination';

const NAME_LENGTH_MAX = 50;
const Id = z.string().min(1).max(64);

export const FeeSponsorParams = z.strictObject({ feeSponsorId: Id });
export const FeeSponsorBody = z
  .strictObject({
    name: z.string().min(1).max(NAME_LENGTH_MAX).optional(),
    walletId: Id.describe('The wallet that pays'),
    allowEndUser: z.boolean().default(false).describe('Whether end users may name this sponsor'),
  })
  .meta({ id: 'FeeSponsorBody' });
export const NoBody = z.strictObject({}).optional();

export const FeeSponsor = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    walletId: z.string().describe('The wallet that pays'),
    network: z.enum(NETWORK_NAMES).describe('The network of the paying wallet; the sponsor pays fees only on this network'),
    status: z.enum(FEE_SPONSOR_STATUSES).describe('Deactivated: does not pay for new requests; Archived: deleted permanently'),
    dateCreated: IsoDate,
    allowEndUser: z.boolean().optional().describe('Whether end users may name this sponsor'),
  })
  .meta({ id: 'FeeSponsor' });
export const FeeSponsorPage = z.object({ items: z.array(FeeSponsor), nextPageToken: NextPageToken });

const SponsoredFee = z
  .object({
    feeSponsorId: z.string(),
    sponsoreeId: z.string().describe('The wallet whose fee was paid'),
    requestId: z.string().describe('ID of the transfer or transaction'),
    fee: z.string().optional().describe('In smallest units of the native asset; absent if the network did not report it'),
    dateRequested: IsoDate,
    dateConfirmed: IsoDate.describe('When the service found the transaction final'),
  })
  .meta({ id: 'SponsoredFee' });
export const SponsoredFeePage = z.object({ items: z.array(SponsoredFee), nextPageToken: NextPageToken });
