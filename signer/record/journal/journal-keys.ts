import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../error-code';
import { type KekPlace, type KekProvider, KekUnavailable } from '../../keys/kek';
import { StartError } from '../../start-error';
import { Id } from '../../wire/schemas';
import { createFile, replaceFile } from '../replace-file';

const SECRET_BYTES = 32;
const Row = z.strictObject({ journalId: Id, kekId: Id, wrappedHex: z.string().regex(/^(?:[0-9a-f]{2})+$/) });
type Row = z.infer<typeof Row>;

/**
 * Only a holder of these keys can add a line to the journal, change a value of its index, make an anchor, or attest an address.
 */
export type JournalKeys = {
  readonly seal: Buffer;
  readonly value: Buffer;
  readonly anchor: Buffer;
  readonly attestation: Buffer;
};

const placeOf = ({ journalId, kekId }: Pick<Row, 'journalId' | 'kekId'>): KekPlace => ({
  purpose: 'wallet/journal-key/v1',
  orgId: journalId,
  dekId: journalId,
  kekId,
});

function readRow(path: string): Row | undefined {
  try {
    return Row.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartError(`${path} does not contain the key of the journal`, { cause: error });
  }
}

async function wrapped(kek: KekProvider, journalId: string, secret: Buffer): Promise<Row> {
  const place = { journalId, kekId: kek.id };
  return { ...place, wrappedHex: (await kek.wrap(secret, placeOf(place))).toString('hex') };
}

async function unwrapped(kek: KekProvider, row: Row, path: string): Promise<Buffer> {
  try {
    return await kek.unwrap(Buffer.from(row.wrappedHex, 'hex'), placeOf(row));
  } catch (error) {
    if (error instanceof KekUnavailable) throw error;
    throw new StartError(`${path} does not open under ${row.kekId}: the file was altered`, { cause: error });
  }
}

const derived = (secret: Buffer, info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, SECRET_BYTES));

const pathOf = (stateDir: string) => join(stateDir, 'journal-key.json');
const keysOf = (secret: Buffer): JournalKeys => ({
  seal: derived(secret, 'wallet/journal/seal/v1'),
  value: derived(secret, 'wallet/journal/index/v1'),
  anchor: derived(secret, 'wallet/journal/anchor/v1'),
  attestation: derived(secret, 'wallet/journal/attestation/v1'),
});
const missing = (path: string) =>
  new StartError(`${path} is missing, and the journal in the same folder cannot be checked without this file`);

/** Undefined for a folder without a journal. Throws a `StartError` for a damaged file. */
export const journalIdIn = (stateDir: string): string | undefined => readRow(pathOf(stateDir))?.journalId;

/** Changes nothing in the folder. Throws in the same cases as `openJournalKeys` for a folder with a journal. */
export async function readJournalKeys(stateDir: string, kek: KekProvider): Promise<JournalKeys> {
  const path = pathOf(stateDir);
  const known = readRow(path);
  if (!known) throw missing(path);
  const secret = await unwrapped(kek, known, path);
  try {
    return keysOf(secret);
  } finally {
    secret.fill(0);
  }
}

/**
 * Opens the key of the journal, which is stored wrapped. Wraps the key under the active key-encryption key, so that a rotation
 * leaves nothing under the old key. `mayCreate` is true for a folder without a journal. Throws a `StartError` if the file is
 * missing or does not open, and `KekUnavailable` while the key-encryption key is unavailable.
 */
export async function openJournalKeys(stateDir: string, kek: KekProvider, mayCreate: boolean): Promise<JournalKeys> {
  const path = pathOf(stateDir);
  const known = readRow(path);
  if (!known && !mayCreate) throw missing(path);
  const secret = known ? await unwrapped(kek, known, path) : randomBytes(SECRET_BYTES);
  try {
    if (known?.kekId !== kek.id) {
      const row = await wrapped(kek, known?.journalId ?? randomUUID(), secret);
      await (known ? replaceFile : createFile)(path, (put) => put(JSON.stringify(row)));
    }
    return keysOf(secret);
  } finally {
    secret.fill(0);
  }
}
