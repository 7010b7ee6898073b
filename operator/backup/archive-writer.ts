import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { sha256Hex } from '../../platform/digests';
import type { Member } from './manifest';

/**
 * The approximate size of a member. In a tar file, the size of a member precedes its content, so each member is first built in
 * memory.
 */
const MEMBER_BYTES_MAX = 4 * 1024 * 1024;
const MODE = 0o600;

export type ArchiveWriter = {
  readonly add: (name: string, content: Buffer) => Promise<void>;
  readonly addInParts: (
    folder: string,
    content: AsyncIterable<Buffer>,
  ) => Promise<{ readonly bytes: number; readonly sha256: string }>;
  readonly members: readonly Member[];
};

async function assertUnused(path: string, text: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found) throw new Error(text);
}

/** The file gets its final name only after all its bytes are on the disk. Never replaces an existing file. */
export async function writeArchive(path: string, fill: (archive: ArchiveWriter) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`;
  const taken = `${path} already exists, and a backup never replaces a file: choose another name.`;
  await assertUnused(path, taken);
  await assertUnused(
    partial,
    `${partial} already exists: another backup is writing this file, or was interrupted. Remove the file after an interruption.`,
  );
  const tar = pack();
  const file = createWriteStream(partial, { flags: 'wx', mode: MODE, flush: true });
  const written = pipeline(tar, createGzip(), file);
  try {
    await Promise.race([fill(writerInto(tar)).then(() => tar.finalize()), written]);
    await written;
    await assertUnused(path, taken);
  } catch (error) {
    tar.destroy();
    await written.catch(() => undefined);
    // After `EEXIST` the partial file belongs to another process, so this process must not remove it.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) await rm(partial, { force: true });
    throw error;
  }
  await rename(partial, path);
  await syncFolder(dirname(path));
}

function writerInto(tar: Pack): ArchiveWriter {
  const members: Member[] = [];
  const add = (name: string, content: Buffer) =>
    new Promise<void>((resolve, reject) => {
      members.push({ name, bytes: content.length, sha256: sha256Hex(content) });
      const entry = tar.entry({ name, size: content.length, mode: MODE }, (error) => (error ? reject(error) : resolve()));
      entry.end(content);
    });
  return { members, add, addInParts: (folder, content) => addInParts(add, folder, content) };
}

async function addInParts(add: ArchiveWriter['add'], folder: string, content: AsyncIterable<Buffer>) {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let part = 0;
  const flush = async () => {
    part += 1;
    await add(`${folder}/${String(part).padStart(6, '0')}`, Buffer.concat(waiting));
    waiting = [];
    waitingBytes = 0;
  };
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= MEMBER_BYTES_MAX) await flush();
  }
  // Empty content also becomes one member.
  if (waitingBytes > 0 || part === 0) await flush();
  return { bytes, sha256: hash.digest('hex') };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
