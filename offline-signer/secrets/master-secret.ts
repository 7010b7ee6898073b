import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { combine, split } from 'shamir-secret-sharing';
import { sha256Hex } from '../../platform/digests';
import { Refused } from '../refused';

const SECRET_BYTES = 32;
/** 50 rolls of a fair die have 129 bits. */
export const DICE_ROLLS_MIN = 50;
const FACES_MIN = 4;

/** Throws `Refused` unless the text has enough rolls that differ. */
export function diceIn(typed: string): string {
  const rolls = typed.replaceAll(/\s/g, '');
  if (!/^[1-6]*$/.test(rolls)) throw new Refused('Dice have the numbers 1 to 6.');
  if (rolls.length < DICE_ROLLS_MIN)
    throw new Refused(`Roll at least ${DICE_ROLLS_MIN} times; ${rolls.length} rolls were typed.`);
  if (new Set(rolls).size < FACES_MIN) throw new Refused('These are not the numbers of fair dice.');
  return rolls;
}

/** The secret is as unpredictable as the better of its two sources. The caller wipes the result. */
export function createMaster(dice: string): Buffer {
  const random = Buffer.concat([randomBytes(SECRET_BYTES), Buffer.from(dice, 'utf8')]);
  try {
    return Buffer.from(hkdfSync('sha512', random, '', 'strongroom/fleet/v1/master', SECRET_BYTES));
  } finally {
    random.fill(0);
  }
}

export const masterCommitmentOf = (master: Buffer): string => createHmac('sha256', master).update('commit').digest('hex');

export const shareDigestOf = (share: Uint8Array): string => sha256Hex(share);

function* choices<T>(all: readonly T[], many: number): Generator<readonly T[]> {
  if (many === 0) {
    yield [];
    return;
  }
  for (const [at, one] of all.entries()) for (const others of choices(all.slice(at + 1), many - 1)) yield [one, ...others];
}

async function isJoined(shares: readonly Uint8Array[], master: Buffer): Promise<boolean> {
  const joined = Buffer.from(await combine([...shares]));
  try {
    return joined.length === master.length && timingSafeEqual(joined, master);
  } finally {
    joined.fill(0);
  }
}

/**
 * Divides the secret by a new polynomial. Every choice of `threshold` shares is tried before any share leaves the device: the most
 * are the 12,870 choices of 8 shares of 16. The caller wipes the shares.
 */
export async function divide(master: Buffer, count: number, threshold: number): Promise<readonly Buffer[]> {
  const shares = await split(new Uint8Array(master), count, threshold);
  for (const chosen of choices(shares, threshold))
    if (!(await isJoined(chosen, master))) throw new Error('the shares do not give the master secret');
  return shares.map((share) => Buffer.from(share));
}

/**
 * Combines shares of one division. A wrong share is left out if the others suffice. Throws `Refused` if no choice gives the
 * secret of this commitment. The caller wipes the result.
 */
export async function recombine(shares: readonly Buffer[], commitment: string): Promise<Buffer | undefined> {
  for (let many = shares.length; many >= 2; many -= 1) {
    for (const chosen of choices(shares, many)) {
      const master = Buffer.from(await combine(chosen.map((share) => new Uint8Array(share))).catch(() => new Uint8Array()));
      if (master.length === SECRET_BYTES && masterCommitmentOf(master) === commitment) return master;
      master.fill(0);
    }
  }
  return undefined;
}
