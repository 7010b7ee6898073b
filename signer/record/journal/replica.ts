import { existsSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../error-code';
import { StartError } from '../../start-error';
import { createFile, replaceFile } from '../replace-file';
import { syncFolder } from '../sync-folder';
import { HASH_CHARS, SEAL_LINE_BYTES } from './chained-lines';
import { JOURNAL_KEY_FILE, journalIdIn } from './journal-keys';
import { segmentPath, segmentsOf } from './segments';

const COPY_BYTES = 1024 * 1024;
const WINDOW_BYTES = 64 * 1024;
const SEAL_LINE = /(?<=^|\n)([0-9a-f]{64}) \{"seal":"[0-9a-f]{64}"\}\n/g;

/** Files that a signer writes only at its start. */
const SMALL_FILES = [JOURNAL_KEY_FILE, 'share-keys.json'];

/**
 * Gives both folders the same journal. Of each segment, the folder that has fewer sealed batches gets the rest from the other:
 * a lost or older state folder is filled from its replica, and a new replica from the state folder. Throws a `StartError` if
 * neither file continues the other. The caller holds the leases of both folders.
 */
export async function alignFolders(stateDir: string, replicaDir: string): Promise<void> {
  await alignSmallFiles(stateDir, replicaDir);
  const segments = [...new Set([...segmentsOf(stateDir), ...segmentsOf(replicaDir)])];
  for (const segment of segments) await alignSegment(segmentPath(stateDir, segment), segmentPath(replicaDir, segment));
  await syncFolder(stateDir);
  await syncFolder(replicaDir);
}

/** A file that only one folder has is copied. Of two different files the state folder's counts. */
export async function alignSmallFiles(stateDir: string, replicaDir: string): Promise<void> {
  const [ours, theirs] = [journalIdIn(stateDir), journalIdIn(replicaDir)];
  if (ours !== undefined && theirs !== undefined && ours !== theirs)
    throw new StartError(`${stateDir} and its replica ${replicaDir} hold the journals of two signers`);
  for (const name of SMALL_FILES) {
    const [own, copy] = [textIn(join(stateDir, name)), textIn(join(replicaDir, name))];
    if (own === undefined && copy !== undefined) await createFile(join(stateDir, name), (put) => put(copy));
    if (own !== undefined && own !== copy) await replaceFile(join(replicaDir, name), (put) => put(own));
  }
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function alignSegment(path: string, replica: string): Promise<void> {
  for (const [missing, there] of [
    [path, replica],
    [replica, path],
  ] as const) {
    if (!existsSync(missing)) return copySegment(there, missing);
  }
  const files = [await open(path, 'a+'), await open(replica, 'a+')] as const;
  try {
    const [own, copy] = [await lastSealOf(files[0]), await lastSealOf(files[1])];
    const [[shorter, less], [longer, more]] =
      own.endBytes <= copy.endBytes
        ? ([
            [files[0], own],
            [files[1], copy],
          ] as const)
        : ([
            [files[1], copy],
            [files[0], own],
          ] as const);
    // The hash of a line covers every line before it.
    if (less.endBytes > 0 && (await hashBefore(longer, less.endBytes)) !== less.hash)
      throw new StartError(`${path} and its replica ${replica} contradict each other`);
    await shorter.truncate(less.endBytes);
    for await (const bytes of bytesOf(longer, less.endBytes, more.endBytes)) await shorter.appendFile(bytes);
    await longer.truncate(more.endBytes);
    for (const file of files) await file.sync();
  } finally {
    for (const file of files) await file.close();
  }
}

async function copySegment(from: string, to: string): Promise<void> {
  const file = await open(from, 'r');
  try {
    const { endBytes } = await lastSealOf(file);
    await createFile(to, async (put) => {
      for await (const bytes of bytesOf(file, 0, endBytes)) await put(bytes);
    });
  } finally {
    await file.close();
  }
}

type Seal = { readonly hash: string; readonly endBytes: number };

/** The last sealed batch. Lines behind it were never acknowledged. */
export async function lastSealOf(file: FileHandle): Promise<Seal> {
  const { size } = await file.stat();
  for (let windowBytes = WINDOW_BYTES; ; windowBytes *= 4) {
    const from = Math.max(0, size - windowBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const last = [...buffer.toString('latin1', 0, bytesRead).matchAll(SEAL_LINE)].at(-1);
    if (last?.[1] !== undefined) return { hash: last[1], endBytes: from + last.index + last[0].length };
    if (from === 0) return { hash: '', endBytes: 0 };
  }
}

/** The hash of the seal that ends at this place. */
async function hashBefore(file: FileHandle, endBytes: number): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(HASH_CHARS), 0, HASH_CHARS, endBytes - SEAL_LINE_BYTES);
  return buffer.toString('latin1');
}

async function* bytesOf(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(COPY_BYTES, end - at)), { position: at });
    if (bytesRead === 0) throw new StartError('the longer of two journals shrank while it was copied');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
