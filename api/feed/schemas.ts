import { z } from 'zod';
import { EVENT_KINDS } from '../../domain/events';
import { ItemHash, sequence } from '../http/hash-chains';
import { IsoDate } from '../http/iso-date';
import { NextPageToken, PageQuery } from '../http/pagination';
import { isInOrder, OUT_OF_ORDER, periodMembers } from '../http/period';
import { keptName, snapshot } from '../http/snapshots';

const FeedEvent = z
  .object({
    id: z.string().describe('The ID of the event; a delivery to a webhook has a different ID'),
    kind: keptName(z.enum(EVENT_KINDS)),
    date: IsoDate.meta({ description: 'When the event happened' }),
    data: snapshot('eventData'),
    version: z.int().describe('The version of the changed record, which increases with each event about the record'),
  })
  .meta({ id: 'FeedEvent' });

export const FeedItem = z
  .object({
    sequence,
    digest: ItemHash.describe('SHA-256 over a zero byte and the event in the canonical JSON of RFC 8785'),
    hash: ItemHash.describe('Covers the organisation, the previous hash, the sequence and the digest'),
    event: FeedEvent,
  })
  .meta({ id: 'FeedItem' });

export const ActivityExportQuery = z.strictObject({ ...PageQuery.shape, ...periodMembers }).refine(isInOrder, OUT_OF_ORDER);

export const ActivityPage = z
  .object({
    orgId: z.string(),
    items: z.array(
      FeedEvent.extend({ recordId: z.string().describe('The ID of the changed record') }).meta({ id: 'ActivityEvent' }),
    ),
    nextPageToken: NextPageToken,
  })
  .meta({ id: 'ActivityPage' });
