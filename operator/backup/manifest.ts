import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { digestOf } from '../../platform/canonical';
import { sha256Hex } from '../../platform/digests';
import { ArchiveRefused } from './archive-refused';

export const FORMAT = 'strongroom-backup/1';
export const MANIFEST_NAME = 'manifest.json';
export const SEAL_NAME = 'manifest.seal';

const Digest = z.string().regex(/^[0-9a-f]{64}$/);
/** The name of a table, column or sequence. No other text from the manifest becomes part of an SQL statement. */
const Word = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
/** A path that matches the pattern cannot lead out of the signer's folder. */
const StatePath = z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,3}$/);

const Member = z.strictObject({ name: z.string().max(300), bytes: z.int().nonnegative(), sha256: Digest });
export type Member = z.infer<typeof Member>;

const Table = z.strictObject({ name: Word, columns: z.array(Word), rows: z.int().nonnegative() });
export type Table = z.infer<typeof Table>;

/** The content of an archive: sizes in bytes, dates in ISO 8601, members in their order. */
export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  deploymentId: z.string().min(1).max(200),
  release: z.string().max(100),
  dateBegun: z.iso.datetime(),
  dateEnded: z.iso.datetime(),
  lastMigration: z.string().max(200),
  /** The key-encryption keys that wrap the archived data keys. */
  kekIds: z.array(z.string().max(64)),
  tables: z.array(Table),
  /** The next value of each sequence. */
  sequences: z.record(Word, z.string().regex(/^\d{1,19}$/)),
  signerFiles: z.array(z.strictObject({ path: StatePath, bytes: z.int().nonnegative(), sha256: Digest })),
  members: z.array(Member),
});
export type Manifest = z.infer<typeof Manifest>;

const Seal = z.strictObject({ sha256: Digest, hmac: Digest });

const macOf = (dataKek: Buffer, text: string): string =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', dataKek, '', 'strongroom/backup/v1', 32)))
    .update(text)
    .digest('hex');

/** The digest of the manifest, and a MAC that only the holder of the data key-encryption key can compute. */
export const sealOf = (dataKek: Buffer, text: string): string =>
  JSON.stringify({ sha256: sha256Hex(text), hmac: macOf(dataKek, text) } satisfies z.infer<typeof Seal>);

/** Throws `ArchiveRefused` unless the text was sealed under this key and has a format that this release supports. */
export function openManifest(dataKek: Buffer, text: string, seal: string): Manifest {
  const given = Seal.safeParse(jsonOf(seal));
  if (!given.success || given.data.sha256 !== sha256Hex(text)) throw new ArchiveRefused('its manifest is damaged');
  const mac = Buffer.from(macOf(dataKek, text), 'hex');
  if (!timingSafeEqual(mac, Buffer.from(given.data.hmac, 'hex'))) {
    throw new ArchiveRefused('it was altered, or sealed under a data key-encryption key other than the given one');
  }
  const manifest = Manifest.safeParse(jsonOf(text));
  if (!manifest.success) throw new ArchiveRefused('this release does not know its format');
  return manifest.data;
}

/**
 * Returns the name of a report. The operator passes the name to the command that acts on the report, as proof of having read the
 * report.
 */
export const shortNameOf = (value: Parameters<typeof digestOf>[0]): string => digestOf(value).slice(0, 12);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
