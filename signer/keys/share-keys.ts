import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DAY_MS } from '../../domain/durations';
import { newId } from '../../platform/ids';
import { errorCode } from '../error-code';
import { replaceFile } from '../record/replace-file';
import { StartError } from '../start-error';
import { Refusal } from '../wire/refusal';
import { hex, Id } from '../wire/schemas';
import { createSharePair, openShare } from './hpke';
import type { KekPlace, KekProvider } from './kek';

/**
 * A signer that starts with an older key pair creates a new pair. The previous pair still opens the shares that were encrypted to
 * it.
 */
export const SHARE_KEY_DAYS = 90;

const SharePair = z.strictObject({
  publicKeyHex: hex(32),
  kekId: Id,
  wrappedHex: z.string().regex(/^(?:[0-9a-f]{2})+$/),
  dateCreated: z.iso.datetime(),
});
type SharePair = z.infer<typeof SharePair>;
/** `pairs` begins with the newest pair. */
const Ring = z.strictObject({ signerId: Id, pairs: z.array(SharePair).min(1).max(2) });
type Ring = z.infer<typeof Ring>;

/** The key pair to which shares of imported keys are encrypted. */
export interface ShareKeys {
  readonly signerId: string;
  /** The X25519 public key, base64. */
  readonly encryptionKey: string;
  /** The caller wipes the result. Throws the refusal `ShareNotOpened` if neither pair opens the share. */
  openShare(info: string, sealed: Uint8Array): Promise<Buffer>;
}

const placeOf = (signerId: string, { publicKeyHex, kekId }: Pick<SharePair, 'publicKeyHex' | 'kekId'>): KekPlace => ({
  purpose: 'wallet/share-key/v1',
  orgId: signerId,
  dekId: publicKeyHex,
  kekId,
});

function readRing(path: string): Ring | undefined {
  try {
    return Ring.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartError(`${path} does not contain the signer's key pairs for shares`, { cause: error });
  }
}

/** Undefined for a folder in which no signer has started yet. Throws a `StartError` for a damaged file. */
export const signerIdIn = (path: string): string | undefined => readRing(path)?.signerId;

/** Throws unless each stored pair opens as a pair of the signer that the file names. */
export async function checkSharePairs(path: string, kek: KekProvider): Promise<void> {
  const ring = readRing(path);
  for (const pair of ring?.pairs ?? [])
    (await kek.unwrap(Buffer.from(pair.wrappedHex, 'hex'), placeOf(ring?.signerId ?? '', pair))).fill(0);
}

async function makePair(kek: KekProvider, signerId: string, nowMs: number): Promise<SharePair> {
  const { secret, publicKey } = await createSharePair();
  try {
    const place = { publicKeyHex: publicKey.toString('hex'), kekId: kek.id };
    const wrapped = await kek.wrap(secret, placeOf(signerId, place));
    return { ...place, wrappedHex: wrapped.toString('hex'), dateCreated: new Date(nowMs).toISOString() };
  } finally {
    secret.fill(0);
  }
}

/** Wraps the pair's secret under the active key-encryption key, so that a rotation leaves no pair under the old key. */
async function rewrapped(kek: KekProvider, signerId: string, pair: SharePair): Promise<SharePair> {
  if (pair.kekId === kek.id) return pair;
  const secret = await kek.unwrap(Buffer.from(pair.wrappedHex, 'hex'), placeOf(signerId, pair));
  try {
    const place = { publicKeyHex: pair.publicKeyHex, kekId: kek.id };
    return { ...pair, kekId: kek.id, wrappedHex: (await kek.wrap(secret, placeOf(signerId, place))).toString('hex') };
  } finally {
    secret.fill(0);
  }
}

/** Opens the stored pairs. Creates the first pair, and a new pair when the newest pair is older than `SHARE_KEY_DAYS`. */
export async function openShareKeys(path: string, kek: KekProvider, nowMs: number): Promise<ShareKeys> {
  const known = readRing(path);
  const signerId = known?.signerId ?? newId('signer');
  const [newest] = known?.pairs ?? [];
  const fresh = newest !== undefined && nowMs - Date.parse(newest.dateCreated) < SHARE_KEY_DAYS * DAY_MS;
  const kept = await Promise.all((known?.pairs ?? []).map((pair) => rewrapped(kek, signerId, pair)));
  const made = fresh ? [] : [await makePair(kek, signerId, nowMs)];
  const ring = { signerId, pairs: [...made, ...kept].slice(0, 2) };
  if (JSON.stringify(ring) !== JSON.stringify(known)) await replaceFile(path, (put) => put(JSON.stringify(ring)));
  const [present] = ring.pairs;
  if (!present) throw new StartError(`${path} holds no key pair`);

  return {
    signerId,
    encryptionKey: Buffer.from(present.publicKeyHex, 'hex').toString('base64'),
    async openShare(info, sealed) {
      for (const pair of ring.pairs) {
        const secret = await kek.unwrap(Buffer.from(pair.wrappedHex, 'hex'), placeOf(signerId, pair));
        try {
          return await openShare(secret, info, sealed);
        } catch {
          // The share is encrypted to the other pair, or to a key of another signer.
        } finally {
          secret.fill(0);
        }
      }
      throw new Refusal('ShareNotOpened');
    },
  };
}
