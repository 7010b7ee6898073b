import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { during, reach } from '../../platform/points';
import type { FolderLease } from '../record/folder-lease';
import { altered, type ChainEnd, GENESIS, linesIn, readBatches, readChain } from '../record/journal/chained-lines';
import type { Position } from '../record/journal/sealed-store';
import { headingOf, removeLeftovers, segmentPath, segmentsOf } from '../record/journal/segments';
import { createFile, replaceFile } from '../record/replace-file';
import { syncFolder } from '../record/sync-folder';
import { StartError } from '../start-error';
import { copyInto, dropBehind } from './dropped-lines';
import { type Marker, readMarker, writeMarker } from './marker';
import { ENDS_MAX, type Joined, PIECE_BYTES_MAX, type ReplicaRefusal, type SmallFile } from './messages';

/** The replica refuses a message and changes nothing. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';

  constructor(readonly reason: ReplicaRefusal) {
    super(reason);
  }
}

const EMPTY: Position = { segment: 1, last: GENESIS, offsetBytes: 0 };
type Lease = Pick<FolderLease, 'mustCopy' | 'assertHeld'>;
type Beginning = { readonly journalId: string; readonly epoch: number; readonly run: string; readonly at: Position };

/**
 * A copy of a journal. Batches are only ever added, with one exception: a folder that rejoins drops its last batches. Every batch
 * must continue the chain of the last line. The seals cannot be checked here, because the replica has no key.
 */
export class ReplicaFolder {
  private handle: FileHandle | undefined;

  private constructor(
    private readonly stateDir: string,
    private readonly lease: Lease,
    private marker: Marker,
    /** The newest place comes last. Only a replica that rejoins needs earlier places. */
    private ends: Position[],
  ) {}

  /** Reads and checks every line, and cuts off the bytes that a crash left after the last seal. Throws a `StartError`. */
  static async open(stateDir: string, lease: Lease): Promise<ReplicaFolder> {
    const marker = readMarker(stateDir);
    if (!marker) throw new StartError(missingMarker(stateDir));
    await removeLeftovers(stateDir);
    const { ends, epoch } = await linesOf(stateDir);
    const known = { ...marker, epoch: Math.max(marker.epoch, epoch) };
    const folder = new ReplicaFolder(stateDir, lease, known, marker.isRejoining ? ends : ends.slice(-1));
    const { segment, offsetBytes } = folder.end;
    if (offsetBytes > 0) await folder.take(segment, offsetBytes);
    return folder;
  }

  private get end(): Position {
    return this.ends.at(-1) ?? EMPTY;
  }

  get epoch(): number {
    return this.marker.epoch;
  }

  joined(): Joined {
    const { journalId, epoch, isRejoining } = this.marker;
    return { journalId, epoch, isRejoining, ends: [...this.ends].reverse().slice(0, ENDS_MAX) };
  }

  /** After this call, the replica accepts only batches of this epoch and process. Throws `NotTaken`. */
  async begin({ journalId, epoch, run, at }: Beginning): Promise<void> {
    const { marker } = this;
    if (marker.journalId !== null && marker.journalId !== journalId) throw new NotTaken('OtherSigner');
    if (epoch < marker.epoch || (epoch === marker.epoch && run !== marker.run)) throw new NotTaken('OlderEpoch');
    const isSame = (one: Position) => one.segment === at.segment && one.offsetBytes === at.offsetBytes && one.last === at.last;
    if (!isSame(this.end)) {
      if (!marker.isRejoining || !this.ends.some(isSame)) throw new NotTaken('NotNext');
      this.lease.assertHeld();
      await this.handle?.close();
      await dropBehind(this.stateDir, at);
      await this.take(at.segment, at.offsetBytes);
    }
    this.ends = [at];
    this.lease.assertHeld();
    this.marker = { journalId, epoch, run, isRejoining: false };
    await writeMarker(this.stateDir, this.marker);
  }

  /** Resolves once the batches are on the disk. Throws `NotTaken`. */
  append(segment: number, offsetBytes: number, bytes: Buffer): Promise<void> {
    return during('keepBatch', bytes, () => this.write(segment, offsetBytes, bytes));
  }

  private async write(segment: number, offsetBytes: number, bytes: Buffer): Promise<void> {
    const { end } = this;
    const isNew = offsetBytes === 0 && segment === (end.offsetBytes === 0 ? 1 : end.segment + 1);
    if (!isNew && (segment !== end.segment || offsetBytes !== end.offsetBytes)) throw new NotTaken('NotNext');
    const next = await chained(bytes, { last: end.last, offsetBytes });
    if (next?.offsetBytes !== offsetBytes + bytes.length) throw new NotTaken('NotNext');
    this.lease.assertHeld();
    if (isNew) {
      const path = segmentPath(this.stateDir, segment);
      await createFile(path, (put) => put(bytes));
      await this.handle?.close();
      this.handle = await open(path, 'a', 0o600);
    } else {
      await this.handle?.appendFile(bytes);
      await reach('written');
      await this.handle?.datasync();
    }
    // If the lease is lost by now, a promoted signer may have read the folder without these bytes.
    this.lease.assertHeld();
    this.ends = [{ segment, ...next }];
  }

  async keep(name: SmallFile, content: Buffer | undefined): Promise<void> {
    this.lease.assertHeld();
    const path = join(this.stateDir, name);
    if (content) return replaceFile(path, (put) => put(content));
    await rm(path, { force: true });
    await syncFolder(this.stateDir);
  }

  async bytesFrom(segment: number, offsetBytes: number): Promise<Buffer> {
    const { end } = this;
    if (segment !== end.segment || offsetBytes > end.offsetBytes) throw new NotTaken('NotNext');
    const file = await open(segmentPath(this.stateDir, segment), 'r');
    try {
      const length = Math.min(PIECE_BYTES_MAX, end.offsetBytes - offsetBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offsetBytes);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    await this.handle?.close();
  }

  /** A suspended earlier process may still write to the file that it has open, so that file must get another name. */
  private async take(segment: number, offsetBytes: number): Promise<void> {
    const path = segmentPath(this.stateDir, segment);
    if (this.lease.mustCopy) await replaceFile(path, (put) => copyInto(put, path, 0, offsetBytes));
    this.handle = await open(path, 'a', 0o600);
    await this.handle.truncate(offsetBytes);
    await this.handle.datasync();
  }
}

const missingMarker = (stateDir: string) =>
  segmentsOf(stateDir).length > 0
    ? `${stateDir} is the folder of a signer: it becomes a replica only with --rejoin`
    : `${stateDir} holds no replica: mount its medium, or prepare a new replica with --new`;

/** The end of the last whole batch. Undefined if the bytes do not continue the chain. */
async function chained(bytes: Buffer, from: ChainEnd): Promise<ChainEnd | undefined> {
  let sealed: ChainEnd | undefined;
  try {
    await readChain(linesIn(bytes), { from }, (jsons, end) => {
      if (jsons.length === 0) sealed = end;
    });
  } catch {
    return undefined;
  }
  return sealed;
}

/** The ends of the last batches over all segments, and the latest epoch. Throws a `StartError` for a line that was altered. */
async function linesOf(stateDir: string): Promise<{ readonly ends: Position[]; readonly epoch: number }> {
  const segments = segmentsOf(stateDir);
  if (segments.some((segment, at) => segment !== at + 1)) throw new StartError(`${stateDir} lacks a file of the journal`);
  const ends: Position[] = [];
  let epoch = 0;
  for (const segment of segments) {
    const path = segmentPath(stateDir, segment);
    const until = segment === segments.length ? undefined : (await headingOf(segmentPath(stateDir, segment + 1))).after;
    const from = { last: ends.at(-1)?.last ?? GENESIS, offsetBytes: 0 };
    try {
      // Without a key, the callback gets one line at a time, and no line at all for a seal.
      await readBatches(path, { from, until }, (jsons, end) => {
        if (jsons.length === 0) ends.push({ segment, ...end });
        if (ends.length > 2 * ENDS_MAX) ends.splice(0, ENDS_MAX);
        for (const json of jsons) epoch = Math.max(epoch, epochOf(json));
      });
    } catch (error) {
      throw altered(path, error);
    }
  }
  return { ends: ends.length > 0 ? ends : [EMPTY], epoch };
}

/** The epoch of a `ReplicationSet` entry, 0 for any other entry. The marker of a folder that rejoins begins with 0. */
function epochOf(json: string): number {
  if (!json.includes('"ReplicationSet"')) return 0;
  const { kind, epoch }: { readonly kind?: unknown; readonly epoch?: unknown } = JSON.parse(json);
  return kind === 'ReplicationSet' && typeof epoch === 'number' ? epoch : 0;
}
