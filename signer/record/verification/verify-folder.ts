import type { KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type KekProvider, KekUnavailable } from '../../keys/kek';
import { checkSharePairs, signerIdIn } from '../../keys/share-keys';
import { StartError } from '../../start-error';
import { createAttestor } from '../attestor';
import { isCharterEntry } from '../charter-entries';
import { type Entry, isKnownEntry } from '../journal/entries';
import { type JournalKeys, readJournalKeys } from '../journal/journal-keys';
import { segmentPath, segmentsOf } from '../journal/segments';
import { createCharterCheck, type VerifiedCharter } from './charter-check';
import { createFleetCheck } from './fleet-check';
import { type FolderFault, wordsOf } from './folder-fault';
import { type IndexOutcome, openIndexCheck } from './index-check';
import { createKeyStoreCheck } from './key-store-check';
import { readSealed, type SealedBatch, type SealedJournal } from './read-sealed';
import { createReplicationCheck } from './replication-check';
import { createTally, type Tally } from './tally';

type Wanted = {
  readonly stateDir: string;
  readonly kek: KekProvider;
  /** Verifies the signatures of charters, key-store entries and statements. Without the key they are not checked. */
  readonly operatorKey: KeyObject | undefined;
  /** Only the entries of this organisation are counted. Everything is checked in any case. */
  readonly orgId?: string | undefined;
  /** The parent of a temporary folder for two copies of the index. The temporary folder is removed at the end. */
  readonly workDir: string;
};

export type FolderReport = Omit<SealedJournal, 'faults'> & {
  readonly signerId: string | undefined;
  /** The public key by which the signer attests addresses, in hex. */
  readonly attestationKey: string;
  readonly tally: Tally;
  readonly index: IndexOutcome;
  readonly charters: ReadonlyMap<string, VerifiedCharter>;
  /** The number of statements by another key that once let the signer continue without its replica, and that no longer apply. */
  readonly earlierUnsigned: number;
  readonly faults: readonly FolderFault[];
};

/**
 * Checks the whole content of the signer's folder with the signer's own code, without changing the folder. The signer may be
 * running. Throws a `StartError` if the folder has no journal or the key of the journal does not open.
 */
export async function verifyFolder(wanted: Wanted): Promise<FolderReport> {
  const { stateDir, kek, workDir } = wanted;
  if (segmentsOf(stateDir).length === 0) throw new StartError(`${stateDir} has no journal of a signer`);
  const keys = await keysOf(stateDir, kek);
  const folder = await mkdtemp(join(workDir, 'strongroom-verify-'));
  try {
    return await verifyWith(wanted, keys, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function keysOf(stateDir: string, kek: KekProvider): Promise<JournalKeys> {
  try {
    return await readJournalKeys(stateDir, kek);
  } catch (error) {
    if (!(error instanceof KekUnavailable)) throw error;
    throw new StartError(`${join(stateDir, 'journal-key.json')} does not open: ${error.message}`, { cause: error });
  }
}

async function verifyWith(
  { stateDir, kek, operatorKey, orgId }: Wanted,
  keys: JournalKeys,
  folder: string,
): Promise<FolderReport> {
  const signer = await signerOf(stateDir, kek);
  const parts = { signerId: signer.signerId, operatorKey };
  const [charters, replication] = [createCharterCheck(parts), createReplicationCheck(parts)];
  const [stores, fleets] = [createKeyStoreCheck(parts), createFleetCheck()];
  const tally = createTally(orgId);
  const index = await openIndexCheck(stateDir, folder, keys);
  try {
    const { faults: lineFaults, ...journal } = await readSealed(stateDir, keys.seal, async (batch) => {
      const entries = entriesOf(stateDir, batch);
      for (const { entry, place } of entries) {
        tally.take(entry);
        if (batch.isUnbroken && isCharterEntry(entry)) charters.take(entry, place);
        if (batch.isUnbroken && entry.kind === 'KeyStoreChanged') stores.take(entry, place);
        if (batch.isUnbroken) fleets.take(entry, place);
      }
      if (batch.isUnbroken) replication.take({ entries, last: batch.end.last });
      if (batch.isUnbroken)
        await index.take(
          entries.map(({ entry }) => entry),
          batch.end,
        );
    });
    const { outcome, faults: indexFaults } = index.finish(lineFaults.length === 0);
    const { inForce, faults: charterFaults } = charters.finish();
    const { faults: replicaFaults, earlierUnsigned } = replication.finish();
    const ofStores = [...stores.finish(), ...fleets.finish()];
    const faults = [...signer.faults, ...lineFaults, ...indexFaults, ...charterFaults, ...ofStores, ...replicaFaults];
    const { publicKeyHex: attestationKey } = createAttestor(keys.attestation);
    const of = { signerId: signer.signerId, attestationKey };
    return { ...journal, ...of, tally: tally.total(), index: outcome, charters: inForce, earlierUnsigned, faults };
  } finally {
    await index.close();
  }
}

type PlacedEntry = { readonly entry: Entry & { readonly at: string }; readonly place: string };

/** Leaves out the headings of the segments, which do not change the index. */
function entriesOf(stateDir: string, { jsons, lines, end }: SealedBatch): readonly PlacedEntry[] {
  const file = basename(segmentPath(stateDir, end.segment));
  return jsons.flatMap((json, at) => {
    const entry: { readonly kind?: unknown; readonly at: string } = JSON.parse(json);
    if (!isKnownEntry(entry))
      throw new StartError(`line ${lines[at]} has an entry that this version does not know: ${entry.kind}`);
    return (entry.kind as string) === 'SegmentOpened' ? [] : [{ entry, place: `${file}, line ${lines[at]}` }];
  });
}

type Signer = { readonly signerId: string | undefined; readonly faults: readonly FolderFault[] };

async function signerOf(stateDir: string, kek: KekProvider): Promise<Signer> {
  const place = 'share-keys.json';
  const path = join(stateDir, place);
  let signerId: string | undefined;
  try {
    signerId = signerIdIn(path);
    if (signerId === undefined)
      return { signerId, faults: [{ place, fault: 'is missing: at its next start the signer gets a new id' }] };
    await checkSharePairs(path, kek);
    return { signerId, faults: [] };
  } catch (error) {
    return { signerId, faults: [{ place, fault: `does not open: ${wordsOf(error)}` }] };
  }
}
