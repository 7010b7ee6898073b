import { z } from 'zod';
import { FEE_SPONSOR_STATUSES } from '../../domain/fee-sponsors';
import { NETWORK_NAMES } from '../../domain/networks';
import { IsoDate } from '../http/iso-date';

const NAME_LENGTH_MAX = 50;
const Id = z.string().min(1).max(64);

export const FeeSponsorParams = z.strictObject({ feeSponsorId: Id });
export const FeeSponsorBody = z
  .strictObject({
    name: z.string().min(1).max(NAME_LENGTH_MAX).optional(),
    walletId: Id,
    allowEndUser: z.boolean().default(false),
  })
  .meta({ id: 'FeeSponsorBody' });
export const NoBody = z.strictObject({}).optional();

export const FeeSponsor = z
  .object({
    id: z.string(),
    name: z.string().optional(),
    walletId: z.string(),
    network: z.enum(NETWORK_NAMES),
    status: z.enum(FEE_SPONSOR_STATUSES),
    dateCreated: IsoDate,
    allowEndUser: z.boolean().optional(),
  })
  .meta({ id: 'FeeSponsor' });
export const FeeSponsorPage = z.object({ items: z.array(FeeSponsor), nextPageToken: z.string().optional() });

const SponsoredFee = z
  .object({
    feeSponsorId: z.string(),
    sponsoreeId: z.string().describe('The wallet whose fee was paid'),
    requestId: z.string(),
    fee: z.string().optional().describe('In smallest units of the native asset'),
    dateRequested: IsoDate,
    dateConfirmed: IsoDate,
  })
  .meta({ id: 'SponsoredFee' });
export const SponsoredFeePage = z.object({ items: z.array(SponsoredFee), nextPageToken: z.string().optional() });
