import { z } from 'zod';
import { plain } from '../operator/charters/plain';
import { FEED_CURSOR, FEED_START, feedCursor, followFeed, positionOf } from '../platform/hash-chain';
import { FeedHash, FeedSequence, isCheckpointOf, readCheckpoint, SignedCheckpoint } from '../platform/chain-checkpoint';
import { line } from './content/content-words';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import { jsonIn } from './read-file';

type Options = {
  /** The answer of `GET /events`. */
  readonly file: string;
  readonly organization: string;
  /** The cursor with which the answer was requested. */
  readonly after?: string | undefined;
  /** A checkpoint from another place than the answer. */
  readonly checkpoint?: string | undefined;
  /** The signer's public key for attestations in hex. */
  readonly signerKey?: string | undefined;
};

const SIGNER_KEY = /^[0-9a-f]{64}$/;
const Place = { sequence: FeedSequence, hash: FeedHash };
const Checkpoint = z.strictObject({ sequence: FeedSequence, ...SignedCheckpoint.shape });
const Event = z.strictObject({
  id: z.string(),
  kind: z.string(),
  date: z.string(),
  data: z.record(z.string(), z.unknown()),
  version: z.int(),
});
const Page = z.strictObject({
  items: z.array(z.strictObject({ ...Place, digest: FeedHash, event: Event })),
  nextCursor: z.string(),
  head: z.strictObject({
    sequence: FeedSequence.or(z.literal(0)),
    hash: FeedHash,
    date: z.string().optional(),
    checkpoint: Checkpoint.optional(),
  }),
});
type Page = z.output<typeof Page>;

const FAULTS = {
  Gap: 'is missing, or stands in another place',
  EventAltered: 'is not the event whose digest the feed has',
  ChainBroken: 'does not continue the chain of the event before it',
} as const;

/** Verifies that the events follow the cursor without a gap, and that the signer attested them. */
export function checkFeed({ file, organization, after, checkpoint, signerKey }: Options): readonly string[] {
  if (after !== undefined && !FEED_CURSOR.test(after)) throw new WrongUsage('--after is a cursor of the feed.');
  const page = jsonIn(file, Page, 'an answer of GET /events');
  const begin = after === undefined ? FEED_START : positionOf(after);
  const end = followFeed(organization, begin, page.items);
  if ('fault' in end) throw new NotVerified(`The event ${end.sequence} ${FAULTS[end.fault]}. Tell the operator.`);
  const isWhole = page.head.sequence === end.sequence;
  assertVerified(
    page.head.sequence > end.sequence || (isWhole && page.head.hash === end.hash),
    'The events do not lead to the head of the feed. Tell the operator.',
  );
  const read = page.items.length === 0 ? 'none' : `${begin.sequence + 1} to ${end.sequence}`;
  return [
    line('Organisation', plain(organization)),
    line('Events', read),
    line('Cursor', feedCursor(end)),
    ...checkpointLines(page, { organization, begin, checkpoint, signerKey }),
    isWhole
      ? 'VERIFIED: these are all events after the cursor, unaltered and in their order.'
      : `VERIFIED: the events are unaltered and in their order. The feed goes on to ${page.head.sequence}: read on from the cursor.`,
  ];
}

type Attested = Pick<Options, 'organization' | 'checkpoint' | 'signerKey'> & { readonly begin: typeof FEED_START };

function checkpointLines({ items, head }: Page, { organization, begin, checkpoint, signerKey }: Attested): readonly string[] {
  const signed = checkpoint === undefined ? head.checkpoint : jsonIn(checkpoint, Checkpoint, 'a checkpoint of a feed');
  if (signerKey === undefined) {
    if (checkpoint !== undefined) throw new WrongUsage('A checkpoint is verified with --signer-key.');
    return ['NOT VERIFIED: that the signer attested the feed. Give --signer-key.'];
  }
  if (!SIGNER_KEY.test(signerKey))
    throw new WrongUsage('--signer-key is 64 hex digits, from the operator and not from the service.');
  if (!signed) return ['The signer has attested no event of the feed yet.'];
  assertVerified(isCheckpointOf(signerKey, signed), 'No signer with this key made the checkpoint. Tell the operator.');
  const said = readCheckpoint(signed.statement);
  if (!said) throw new NotVerified('The checkpoint has a form that this program does not know. Get the newest program.');
  assertVerified(said.organizationId === organization, 'The checkpoint belongs to the feed of another organisation.');
  const covered = [begin, ...items].find(({ sequence }) => sequence === said.sequence);
  const shown = line('Checkpoint', `${said.sequence}, signed ${said.dateSigned}`);
  if (!covered) return [shown, `NOT VERIFIED: the checkpoint, because the file does not have the event ${said.sequence}.`];
  assertVerified(
    covered.hash === said.hash,
    `The signer attested ANOTHER feed up to the event ${said.sequence}. Tell the operator.`,
  );
  return [shown];
}
