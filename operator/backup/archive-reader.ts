import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { ArchiveRefused } from './archive-refused';
import { MANIFEST_NAME, type Manifest, type Member, openManifest, SEAL_NAME } from './manifest';

/** This limit is far above the size of any real manifest, and keeps a hostile archive from filling the memory. */
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
const MEMBER_BYTES_MAX = 512 * 1024 * 1024;

type Visit = (name: string, content: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Visits each member, that is, each file in the archive. Throws `ArchiveRefused` for an unreadable, damaged or truncated archive.
 */
async function readMembers(path: string, visit: Visit): Promise<void> {
  const tar = extract();
  const feeding = pipeline(createReadStream(path), createGunzip(), tar);
  feeding.catch(() => undefined); // the loop below throws the same error
  try {
    for await (const entry of tar) {
      await visit(entry.header.name, entry as AsyncIterable<Buffer>);
      entry.resume();
    }
    await feeding;
  } catch (error) {
    tar.destroy();
    if (error instanceof ArchiveRefused || !types.isNativeError(error)) throw error;
    if (isOfFile(error)) throw new ArchiveRefused(`it cannot be read (${error.code})`);
    if (isOfFormat(error)) throw new ArchiveRefused('it is truncated or damaged');
    throw error;
  }
}

const isOfFile = (error: Error): error is Error & { code: string } => 'syscall' in error && 'code' in error;
const isOfFormat = (error: Error) =>
  ('code' in error && typeof error.code === 'string' && /^Z_|^ERR_STREAM_PREMATURE/.test(error.code)) ||
  /Unexpected end of data|Invalid tar header|Premature close|unexpected end of file|Readable stream closed/i.test(error.message);

/**
 * Throws `ArchiveRefused` unless the archive contains exactly the members that its manifest lists, in order, and the manifest
 * matches its seal.
 */
export async function verifyArchive(path: string, dataKek: Buffer): Promise<Manifest> {
  const found: Member[] = [];
  const texts = new Map<string, string>();
  await readMembers(path, async (name, content) => {
    if (texts.has(SEAL_NAME)) throw new ArchiveRefused('there is data after its end');
    if (name === MANIFEST_NAME || name === SEAL_NAME) {
      texts.set(name, (await gather(content, MANIFEST_BYTES_MAX)).toString('utf8'));
      return;
    }
    if (texts.has(MANIFEST_NAME)) throw new ArchiveRefused('there is data after its end');
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    found.push({ name, bytes, sha256: hash.digest('hex') });
  });
  const [text, seal] = [texts.get(MANIFEST_NAME), texts.get(SEAL_NAME)];
  if (text === undefined || seal === undefined) throw new ArchiveRefused('it is truncated: its manifest is missing');
  const manifest = openManifest(dataKek, text, seal);
  for (const [index, member] of manifest.members.entries()) {
    const here = found[index];
    if (here?.name !== member.name) throw new ArchiveRefused(`${member.name} is missing`);
    if (here.sha256 !== member.sha256) throw new ArchiveRefused(`the checksum of ${member.name} differs from the manifest`);
  }
  if (found.length !== manifest.members.length) throw new ArchiveRefused('it contains more than its manifest lists');
  return manifest;
}

/** Compares each whole member with the manifest before calling `use`, because the file may have changed since `verifyArchive`. */
export async function readArchive(
  path: string,
  manifest: Manifest,
  use: (name: string, content: Buffer) => Promise<void>,
): Promise<void> {
  const known = new Map(manifest.members.map((member) => [member.name, member]));
  await readMembers(path, async (name, content) => {
    const member = known.get(name);
    if (!member) return;
    const whole = await gather(content, MEMBER_BYTES_MAX);
    if (createHash('sha256').update(whole).digest('hex') !== member.sha256) {
      throw new ArchiveRefused(`${name} changed while it was read`);
    }
    await use(name, whole);
  });
}

async function gather(content: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new ArchiveRefused('one of its members is larger than any that a backup writes');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
