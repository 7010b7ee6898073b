import { hkdfSync, randomBytes } from 'node:crypto';
import { combine, split } from 'shamir-secret-sharing';
import { type PaperShare, ShareFault } from './paper';

const KEY_BYTES = 32;
const SECRET_BYTES = KEY_BYTES * 2;
/** A Shamir share is one byte longer than its secret. */
const SHARE_BYTES = SECRET_BYTES + 1;
const SHARES_MAX = 16;

export type RootKeys = { readonly signerKek: Buffer; readonly dataKek: Buffer };

const commitmentOf = (secret: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'strongroom/escrow-commitment/v1', 8)).toString('hex');

/** Splits both keys together into Shamir shares over GF(2^8). Fewer than `threshold` shares reveal nothing about the keys. */
export async function splitKeys({ signerKek, dataKek }: RootKeys, count: number, threshold: number): Promise<PaperShare[]> {
  if (!(Number.isInteger(threshold) && Number.isInteger(count) && threshold >= 2 && threshold <= count && count <= SHARES_MAX)) {
    throw new Error(`--threshold is at least 2, --shares at least as many and at most ${SHARES_MAX}.`);
  }
  const secret = new Uint8Array(Buffer.concat([signerKek, dataKek]));
  try {
    const set = randomBytes(4).toString('hex');
    const commitment = commitmentOf(secret);
    const shares = await split(secret, count, threshold);
    return shares.map((share, at) => ({ set, threshold, count, index: at + 1, commitment, share: Buffer.from(share) }));
  } finally {
    secret.fill(0);
  }
}

/**
 * Throws a `ShareFault` if shares are missing, or if a share is incomplete, duplicated, wrong or from another ceremony (call of
 * `splitKeys`).
 */
export async function combineKeys(shares: readonly PaperShare[]): Promise<RootKeys> {
  const [first] = shares;
  if (!first) throw new ShareFault('there is no share in the text');
  for (const [at, { set, threshold, count, commitment, share }] of shares.entries()) {
    const same = set === first.set && threshold === first.threshold && count === first.count && commitment === first.commitment;
    if (!same)
      throw new ShareFault(`share ${at + 1} of the text is from another ceremony (set ${set}) than the first (set ${first.set})`);
    if (share.length !== SHARE_BYTES) throw new ShareFault(`share ${at + 1} of the text is incomplete`);
  }
  const indexes = shares.map(({ index }) => index);
  const twice = indexes.find((index, at) => indexes.indexOf(index) !== at);
  if (twice !== undefined) throw new ShareFault(`share number ${twice} was entered twice`);
  if (shares.length < first.threshold) {
    const others = Array.from({ length: first.count }, (_, at) => at + 1).filter((index) => !indexes.includes(index));
    const missing = first.threshold - shares.length;
    throw new ShareFault(
      `${missing} of the ${first.threshold} required shares missing: any of number ${others.join(', ')}; number ${indexes.join(', ')} present`,
    );
  }
  return keysOf(shares, first);
}

async function keysOf(shares: readonly PaperShare[], { threshold, commitment }: PaperShare): Promise<RootKeys> {
  for (const chosen of choices(shares, threshold)) {
    const secret = await combine(chosen.map(({ share }) => new Uint8Array(share)));
    if (secret.length === SECRET_BYTES && commitmentOf(secret) === commitment) {
      const wrong = await strangersTo(chosen, shares, commitment);
      const keys = { signerKek: Buffer.from(secret.slice(0, KEY_BYTES)), dataKek: Buffer.from(secret.slice(KEY_BYTES)) };
      secret.fill(0);
      if (wrong.length === 0) return keys;
      keys.signerKek.fill(0);
      keys.dataKek.fill(0);
      throw new ShareFault(`share number ${wrong.join(', ')} differs from the printed one; leave it out`);
    }
    secret.fill(0);
  }
  const named = shares.map(({ index }) => index).join(', ');
  throw new ShareFault(
    `one of the shares number ${named} differs from the printed one; with one more share the wrong one can be identified`,
  );
}

/**
 * Returns the numbers of the wrong shares in `all`. A share is wrong if combining it with shares in `right` does not yield the
 * keys of `commitment`.
 */
async function strangersTo(right: readonly PaperShare[], all: readonly PaperShare[], commitment: string): Promise<number[]> {
  const wrong: number[] = [];
  for (const other of all.filter((share) => !right.includes(share))) {
    // A wrong share may by chance have the same x-coordinate as another share, and `combine` then throws.
    const secret = await combine([...right.slice(1), other].map(({ share }) => new Uint8Array(share))).catch(
      () => new Uint8Array(),
    );
    if (commitmentOf(secret) !== commitment) wrong.push(other.index);
    secret.fill(0);
  }
  return wrong;
}

function* choices<T>(all: readonly T[], many: number): Generator<readonly T[]> {
  if (many === 0) {
    yield [];
    return;
  }
  for (const [at, one] of all.entries()) for (const others of choices(all.slice(at + 1), many - 1)) yield [one, ...others];
}
