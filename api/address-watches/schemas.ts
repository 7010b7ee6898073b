import { z } from 'zod';
import { ADDRESS_WATCH_NETWORKS, ADDRESS_WATCH_STATUSES } from '../../domain/address-watches';
import { assetMembers } from '../asset-schemas';
import { coverageMembers } from '../backfill-schemas';
import { IsoDate } from '../http/iso-date';
import { NextPageToken, PageQuery } from '../http/pagination';
import { AddressWatchBlockchainEvent, WatchedMovement } from '../movement-schemas';

const TAGS_MAX = 10;
const ADDRESS_LENGTH_MAX = 256;
const TEXT_LENGTH_MAX = 100;
const Tag = z.string().regex(/^[a-zA-Z0-9_.:/+-]{1,100}$/, 'must be 1 to 100 letters, digits or _ . : / + -');
const ExternalId = z.string().min(1).max(TEXT_LENGTH_MAX);
const AddressText = z.string().min(1).max(ADDRESS_LENGTH_MAX).describe('In any spelling that the network accepts');

export const AddressWatchParams = z.strictObject({ addressWatchId: z.string().min(1).max(64) });

export const AddressWatchBody = z
  .strictObject({
    network: z.enum(ADDRESS_WATCH_NETWORKS).describe('Must also be a network whose blocks this service reads'),
    address: AddressText,
    name: z.string().max(TEXT_LENGTH_MAX).optional().describe('A nickname for people; it need not be unique'),
    externalId: ExternalId.optional().describe('Makes the call idempotent; unique among the watches of the organisation'),
    tags: z
      .array(Tag)
      .max(TAGS_MAX)
      .optional()
      .describe('Only for the filter `tags` of `listAddressWatches`; responses omit tags'),
  })
  .meta({ id: 'AddressWatchBody' });

export const ListAddressWatchesQuery = PageQuery.extend({
  network: z.enum(ADDRESS_WATCH_NETWORKS).optional().describe('Only watches on this network'),
  address: AddressText.optional().describe('Only watches on this address'),
  externalId: ExternalId.optional().describe('Only the watch with this external ID'),
  status: z.enum(ADDRESS_WATCH_STATUSES).optional().describe('Only watches with this status'),
  tags: z
    .union([z.string(), z.array(z.string())])
    .transform((tags) => [tags].flat().flatMap((text) => text.split(',')))
    .pipe(z.array(Tag).min(1).max(TAGS_MAX))
    .optional()
    .meta({ description: 'The watch must have all of these tags; repeat the parameter, or separate the tags by commas' }),
});

export const AddressWatch = z
  .strictObject({
    id: z.string(),
    network: z.enum(ADDRESS_WATCH_NETWORKS),
    address: z.string().describe('In the canonical spelling of its network'),
    name: z.string().optional(),
    externalId: z.string().optional(),
    status: z
      .enum(ADDRESS_WATCH_STATUSES)
      .describe('Archived: nothing is recorded until `createAddressWatch` reactivates the watch'),
    dateCreated: IsoDate,
    dateDeleted: IsoDate.optional().describe('When the watch was archived; absent while it is active'),
  })
  .meta({ id: 'AddressWatch', description: 'An address on a network whose movements are read from blocks' });

export const AddressWatchPage = z.object({ items: z.array(AddressWatch), nextPageToken: NextPageToken });

const subject = { addressWatchId: z.string(), network: z.enum(ADDRESS_WATCH_NETWORKS) };

export const AddressWatchAssets = z.object({ ...subject, ...assetMembers }).meta({ id: 'AddressWatchAssets' });

export const AddressWatchHistory = z
  .object({
    items: z.array(WatchedMovement),
    nextPageToken: NextPageToken,
    ...subject,
    liveFromBlock: z
      .int()
      .optional()
      .describe(
        'The history is complete from this block on; absent if no block has been read since the watch was created or reactivated',
      ),
  })
  .meta({ id: 'AddressWatchHistory' });

export const AddressWatchBackfill = z.object({ ...subject, ...coverageMembers }).meta({ id: 'AddressWatchBackfill' });

export const AddressWatchEvents = z
  .object({ items: z.array(AddressWatchBlockchainEvent), nextPageToken: NextPageToken, ...subject })
  .meta({ id: 'AddressWatchEvents' });
