import { type KeyObject, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { signerIdIn } from '../../keys/share-keys';
import { StartError } from '../../start-error';
import { hex, Id } from '../../wire/schemas';
import { HASH_CHARS, SEAL_LINE_BYTES } from '../journal/chained-lines';
import { lastSealEnd } from '../journal/last-seal';
import type { Position } from '../journal/sealed-store';
import { segmentPath, segmentsOf } from '../journal/segments';
import { replaceFile } from '../replace-file';
import type { SignedStatement } from './replication-entries';

/** The operator puts the signed statement into the state folder under this name. */
export const ALONE_FILE = 'alone.json';
/** The operator's key signs charters too, so the signed bytes begin with their purpose. */
const PURPOSE = 'strongroom alone v1\n';
const FILE_CHARS_MAX = 4_096;

/** The statement lets the signer run without a replica, if `head` is the last line of its journal. */
const Statement = z.strictObject({ v: z.literal(1), signerId: Id, head: hex(32), mode: z.literal('Alone') });
const Signed = z.strictObject({ statement: z.string().max(FILE_CHARS_MAX), signature: z.base64() });

export const aloneBytes = (statement: string): Buffer => Buffer.from(`${PURPOSE}${statement}`, 'utf8');

/** The end of the last sealed batch, read without a key. Undefined for a folder without a journal. */
export async function lastSealIn(stateDir: string): Promise<Position | undefined> {
  const segment = segmentsOf(stateDir).at(-1);
  if (segment === undefined) return undefined;
  const file = await open(segmentPath(stateDir, segment), 'r');
  try {
    const offsetBytes = await lastSealEnd(file);
    const { buffer } = await file.read(Buffer.alloc(HASH_CHARS), 0, HASH_CHARS, Math.max(0, offsetBytes - SEAL_LINE_BYTES));
    return { segment, offsetBytes, last: buffer.toString('latin1') };
  } finally {
    await file.close();
  }
}

/** The statement that the folder needs now. Throws a `StartError` for a folder without a signer. */
export async function draftStatement(stateDir: string): Promise<string> {
  const head = (await lastSealIn(stateDir))?.last;
  const signerId = signerIdIn(join(stateDir, 'share-keys.json'));
  if (head === undefined || signerId === undefined) throw new StartError(`${stateDir} has no journal of a signer`);
  return JSON.stringify({ v: 1, signerId, head, mode: 'Alone' } satisfies z.infer<typeof Statement>);
}

/** Throws unless the text is a statement. */
export const assertStatement = (text: string): void => void Statement.parse(JSON.parse(text));

/** Undefined unless the text is a statement. */
export function readStatementText(text: string): z.infer<typeof Statement> | undefined {
  try {
    return Statement.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export const isStatementSignedBy = (operatorKey: KeyObject, { statement, signature }: SignedStatement): boolean =>
  verify(null, aloneBytes(statement), operatorKey, Buffer.from(signature, 'base64'));

/** Puts a signed statement where the next start reads it. Throws for a file with a different format. Returns the path. */
export async function placeStatement(stateDir: string, file: string): Promise<string> {
  const signed = Signed.parse(JSON.parse(file));
  assertStatement(signed.statement);
  const path = join(stateDir, ALONE_FILE);
  await replaceFile(path, (put) => put(JSON.stringify(signed)));
  // The signer cannot read a file that root owns.
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(stateDir);
    await chown(path, uid, gid);
  }
  return path;
}

/**
 * Returns undefined unless the folder has a statement that `operatorKey` signed for this signer and for the last line of its
 * journal. Throws a `StartError` for a file with a different format.
 */
export async function readStatement(stateDir: string, operatorKey: KeyObject | undefined): Promise<SignedStatement | undefined> {
  const path = join(stateDir, ALONE_FILE);
  if (operatorKey === undefined || !existsSync(path)) return undefined;
  try {
    const signed = Signed.parse(JSON.parse(await readFile(path, 'utf8')));
    const wanted = Statement.parse(JSON.parse(await draftStatement(stateDir)));
    const given = Statement.parse(JSON.parse(signed.statement));
    const isForThis = given.signerId === wanted.signerId && given.head === wanted.head;
    return isForThis && isStatementSignedBy(operatorKey, signed) ? signed : undefined;
  } catch (error) {
    throw new StartError(`${path} cannot be read as a signed statement`, { cause: error });
  }
}
