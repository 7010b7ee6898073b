import { z } from 'zod';
import { EVENT_KINDS } from '../../domain/events';
import { IsoDate } from '../http/iso-date';
import { NextPageToken, PageQuery } from '../http/pagination';
import { isInOrder, OUT_OF_ORDER, periodMembers } from '../http/period';
import { keptName, snapshot } from '../http/snapshots';

const Hash = z.string().meta({ description: 'SHA-256 in lower-case hex' });
const sequence = z.int().describe('Rises by exactly one from event to event, from 1');

const FeedEvent = z
  .object({
    id: z.string().describe('The ID of the event; a delivery to a webhook has an ID of its own'),
    kind: keptName(z.enum(EVENT_KINDS)),
    date: IsoDate.meta({ description: 'When the event happened' }),
    data: snapshot('eventData'),
    version: z.int().describe('The version of the changed record; rises from event to event of one record'),
  })
  .meta({ id: 'FeedEvent' });

export const FeedItem = z
  .object({
    sequence,
    digest: Hash.describe('SHA-256 over a zero byte and the event in the form of RFC 8785'),
    hash: Hash.describe('Covers the organisation, the previous hash, the sequence and the digest'),
    event: FeedEvent,
  })
  .meta({ id: 'FeedItem' });

export const Checkpoint = z
  .object({
    sequence: z.int().describe('The last event that the statement covers'),
    statement: z.string().describe('The signed text: organisation, sequence, hash and time, as JSON'),
    signature: z.string().describe("The signer's Ed25519 signature in base64"),
  })
  .meta({ id: 'FeedCheckpoint' });

export const FeedHead = z
  .object({
    sequence: z.int().describe('The last event of the feed; 0 before the first event'),
    hash: Hash.describe('The hash of the last event'),
    date: IsoDate.optional().describe('When the last event got its place; absent before the first event'),
    checkpoint: Checkpoint.optional().describe('The newest checkpoint; absent before the first'),
  })
  .meta({ id: 'FeedHead' });

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
