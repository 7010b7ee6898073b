import { setTimeout as delay } from 'node:timers/promises';
import type { KekProvider } from '../../keys/kek';
import { copyInto } from '../../replica/dropped-lines';
import type { Joined } from '../../replica/messages';
import { StartError } from '../../start-error';
import { GENESIS, linesIn, readChain } from '../journal/chained-lines';
import { journalIdIn, readJournalKeys } from '../journal/journal-keys';
import type { Position } from '../journal/sealed-store';
import { segmentPath } from '../journal/segments';
import { replaceFile } from '../replace-file';
import { lastSealIn } from './alone';
import { hasPlace } from './own-journal';
import { openReplicaSession, type ReplicaAddress, ReplicaRefused, type ReplicaSession } from './replica-session';

const RETRY_MS = 250;
/** No single batch is this long. */
const BATCH_BYTES_MAX = 256 * 1024 * 1024;
const ADVICE = 'see "A replica" in docs/operations.md';

type Wanted = {
  readonly stateDir: string;
  readonly kek: KekProvider;
  readonly address: ReplicaAddress;
  /** The time within which the replica must be reached. */
  readonly waitMs: number;
};

/**
 * Compares the state folder with the replica before anything is written. After a power failure, the replica can be one batch
 * ahead of the folder, which then gets this batch. Throws a `StartError` for every other difference, except lines that the
 * replica lacks and lines that a rejoining replica will drop.
 */
export async function judgeReplica({ stateDir, kek, address, waitMs }: Wanted): Promise<void> {
  const { session, joined } = await reached(address, waitMs);
  try {
    const own = journalIdIn(stateDir);
    const [end] = joined.ends;
    const known = await lastSealIn(stateDir);
    if (own !== undefined && joined.journalId !== null && own !== joined.journalId)
      throw new StartError('SIGNER_REPLICA holds the journal of another signer');
    if (!known || own === undefined) {
      if (joined.journalId === null && end?.last === GENESIS) return;
      throw new StartError(
        `${stateDir} has no journal, and the replica has one: the folder was lost or is not mounted; ${ADVICE}`,
      );
    }
    const { seal } = await readJournalKeys(stateDir, kek);
    for (const place of joined.ends) if (await hasPlace(stateDir, seal, place)) return;
    if (!end) throw new StartError('the replica returned no position in the journal');
    await takeBatch(stateDir, seal, session, { own: known, theirs: end }, joined);
  } finally {
    session.end();
  }
}

async function reached(address: ReplicaAddress, waitMs: number): Promise<{ session: ReplicaSession; joined: Joined }> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    let session: ReplicaSession | undefined;
    try {
      session = openReplicaSession(address);
      return { session, joined: await session.join() };
    } catch (error) {
      session?.end();
      if (error instanceof ReplicaRefused || performance.now() >= deadline)
        throw new StartError(`the replica does not answer: ${(error as Error).message}`, { cause: error });
    }
    await delay(RETRY_MS);
  }
}

const more = (stateDir: string) =>
  new StartError(
    `the replica has lines of the journal that ${stateDir} lacks: this folder is an older copy, or its medium lost lines; ${ADVICE}`,
  );

type Ends = { readonly own: Position; readonly theirs: Position };

/** Appends the one batch that the replica has and the folder lacks. */
async function takeBatch(
  stateDir: string,
  sealKey: Buffer,
  session: ReplicaSession,
  { own, theirs }: Ends,
  { isRejoining }: Joined,
) {
  if (isRejoining) throw new StartError(`the folder that rejoins has no line in common with ${stateDir}: prepare a new replica`);
  if (theirs.segment > own.segment || theirs.offsetBytes - own.offsetBytes > BATCH_BYTES_MAX) throw more(stateDir);
  const bytes = theirs.segment === own.segment ? await bytesBehind(session, own, theirs) : Buffer.alloc(0);
  const batches: (readonly string[])[] = [];
  const end = await readChain(linesIn(bytes), { sealKey, from: own }, (jsons) => void batches.push(jsons)).catch(() => undefined);
  if (!end || end.offsetBytes !== theirs.offsetBytes || batches.length === 0)
    throw new StartError(`the replica and ${stateDir} contradict each other: two signers have written; ${ADVICE}`);
  const kinds = batches.flat().map((json) => (JSON.parse(json) as { readonly kind?: unknown }).kind);
  // This disk gets `ReplicationSet` and `SegmentOpened` before the replica does. If only the replica has them, another process
  // wrote them.
  if (batches.length > 1 || kinds.includes('ReplicationSet') || kinds.includes('SegmentOpened')) throw more(stateDir);
  const path = segmentPath(stateDir, own.segment);
  // A new file, because an earlier process may have the old one open.
  await replaceFile(path, async (put) => {
    await copyInto(put, path, 0, own.offsetBytes);
    await put(bytes);
  });
}

async function bytesBehind(session: ReplicaSession, { segment, offsetBytes }: Position, theirs: Position): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = offsetBytes; at < theirs.offsetBytes; ) {
    const piece = await session.ask({ op: 'Get', segment, offsetBytes: at });
    if (piece.length === 0) break;
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}
