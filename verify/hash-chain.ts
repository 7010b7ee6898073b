import { z } from 'zod';
import type { HashChain } from '../domain/hash-chains';
import { plain } from '../operator/charters/plain';
import { ChainHash, ChainSequence, isCheckpointOf, readCheckpoint, SignedCheckpoint } from '../platform/chain-checkpoint';
import {
  type AuditItem,
  CHAIN_CURSOR,
  CHAIN_START,
  type ChainFault,
  type ChainPosition,
  chainCursor,
  type FeedItem,
  followAudit,
  followFeed,
  positionOf,
} from '../platform/hash-chain';
import { line } from './content/content-words';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import { jsonIn } from './read-file';
import { witnessLines } from './witness';

type Options = {
  /** The response of `GET /events` or `GET /audit-log`. */
  readonly file: string;
  readonly organization: string;
  /** The cursor with which the response was requested. */
  readonly after?: string | undefined;
  /** A checkpoint that does not come from this response. */
  readonly checkpoint?: string | undefined;
  /** The signer's public key for attestations, in hex. */
  readonly signerKey?: string | undefined;
  /** The file of the witness, with one checkpoint per line. */
  readonly witness?: string | undefined;
};

const SIGNER_KEY = /^[0-9a-f]{64}$/;
const Place = { sequence: ChainSequence, hash: ChainHash };
const Checkpoint = z.strictObject({ sequence: ChainSequence, ...SignedCheckpoint.shape });
const Entry = z.strictObject({ id: z.string(), kind: z.string(), date: z.string(), data: z.record(z.string(), z.unknown()) });
const pageOf = <I extends z.ZodType>(Item: I) =>
  z.strictObject({
    items: z.array(Item),
    nextCursor: z.string(),
    head: z.strictObject({
      sequence: ChainSequence.or(z.literal(0)),
      hash: ChainHash,
      date: z.string().optional(),
      checkpoint: Checkpoint.optional(),
    }),
  });
const FeedPage = pageOf(z.strictObject({ ...Place, digest: ChainHash, event: Entry.extend({ version: z.int() }) }));
const AuditPage = pageOf(z.strictObject({ ...Place, digest: ChainHash, entry: Entry }));
type Page = Omit<z.output<typeof FeedPage>, 'items'> & { readonly items: readonly (FeedItem | AuditItem)[] };

const WORDS = {
  feed: { item: 'event', items: 'events', whole: 'feed', answer: 'an answer of GET /events', count: 'Events' },
  audit: { item: 'entry', items: 'entries', whole: 'audit log', answer: 'an answer of GET /audit-log', count: 'Entries' },
} as const satisfies Record<HashChain, unknown>;

const faultsOf = (item: string): Readonly<Record<ChainFault['fault'], string>> => ({
  Gap: 'is missing, or stands in another place',
  ContentAltered: `is not the ${item} whose digest the chain has`,
  ChainBroken: `does not continue the chain of the ${item} before it`,
});

type Read = { readonly page: Page; readonly end: ChainPosition | ChainFault };

function readPage(chain: HashChain, file: string, organization: string, begin: ChainPosition): Read {
  const { answer } = WORDS[chain];
  if (chain === 'feed') {
    const page = jsonIn(file, FeedPage, answer);
    return { page, end: followFeed(organization, begin, page.items) };
  }
  const page = jsonIn(file, AuditPage, answer);
  return { page, end: followAudit(organization, begin, page.items) };
}

/** Verifies that the items follow the cursor without a gap, and that the signer attested them. */
export function checkChain(chain: HashChain, { file, organization, after, ...attested }: Options): readonly string[] {
  if (after !== undefined && !CHAIN_CURSOR.test(after)) throw new WrongUsage('--after is a cursor, as the service returned it.');
  const { item, items, whole, count } = WORDS[chain];
  const begin = after === undefined ? CHAIN_START : positionOf(after);
  const { page, end } = readPage(chain, file, organization, begin);
  if ('fault' in end) throw new NotVerified(`The ${item} ${end.sequence} ${faultsOf(item)[end.fault]}. Tell the operator.`);
  const isWhole = page.head.sequence === end.sequence;
  assertVerified(
    page.head.sequence > end.sequence || (isWhole && page.head.hash === end.hash),
    `The ${items} do not lead to the head of the ${whole}. Tell the operator.`,
  );
  return [
    line('Organisation', plain(organization)),
    line(count, page.items.length === 0 ? 'none' : `${begin.sequence + 1} to ${end.sequence}`),
    line('Cursor', chainCursor(end)),
    ...attestedLines({ chain, organization, begin, page, ...attested }),
    isWhole
      ? `VERIFIED: these are all ${items} after the cursor, unaltered and in their order.`
      : `VERIFIED: the ${items} are unaltered and in their order. The ${whole} continues to ${page.head.sequence}: continue reading from the cursor.`,
  ];
}

type Attested = Pick<Options, 'organization' | 'checkpoint' | 'signerKey' | 'witness'> & {
  readonly chain: HashChain;
  readonly begin: ChainPosition;
  readonly page: Page;
};

function attestedLines({ signerKey, ...attested }: Attested): readonly string[] {
  const { chain, organization, checkpoint, witness, begin, page } = attested;
  if (signerKey === undefined) {
    if (checkpoint !== undefined || witness !== undefined) throw new WrongUsage('Checkpoints are verified with --signer-key.');
    return [`NOT VERIFIED: that the signer attested the ${WORDS[chain].whole}. Give --signer-key.`];
  }
  if (!SIGNER_KEY.test(signerKey))
    throw new WrongUsage('--signer-key is 64 hex digits, from the operator and not from the service.');
  const lines = checkpointLines(attested, signerKey);
  if (witness === undefined) return lines;
  const known = [begin, ...page.items, page.head];
  return [...lines, ...witnessLines({ known, head: page.head }, { chain, organization, signerKey, file: witness })];
}

function checkpointLines({ chain, organization, checkpoint, begin, page }: Attested, signerKey: string): readonly string[] {
  const { items, head } = page;
  const { item, whole } = WORDS[chain];
  const signed = checkpoint === undefined ? head.checkpoint : jsonIn(checkpoint, Checkpoint, 'a checkpoint');
  if (!signed) return [`The signer has attested no ${item} of the ${whole} yet.`];
  assertVerified(
    isCheckpointOf(chain, signerKey, signed),
    `No signer with this key made the checkpoint of the ${whole}. Tell the operator.`,
  );
  const said = readCheckpoint(chain, signed.statement);
  if (!said) throw new NotVerified('The checkpoint has a form that this program does not know. Get the newest program.');
  assertVerified(said.organizationId === organization, `The checkpoint belongs to the ${whole} of another organisation.`);
  const covered = [begin, ...items].find(({ sequence }) => sequence === said.sequence);
  const shown = line('Checkpoint', `${said.sequence}, signed ${said.dateSigned}`);
  if (!covered) return [shown, `NOT VERIFIED: the checkpoint, because the file does not have the ${item} ${said.sequence}.`];
  assertVerified(
    covered.hash === said.hash,
    `The signer attested ANOTHER ${whole} up to the ${item} ${said.sequence}. Tell the operator.`,
  );
  return [shown];
}
