import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { canonical, digestOf } from '../../platform/canonical';
import { Digest } from '../../platform/fleets/statement';
import { parseStrictJson } from '../../platform/strict-json';
import { Refused, refuseUnlessAllowed } from '../refused';
import { syncFolderOf } from './replace-file';
import type { State } from './state';

const Claim = z.strictObject({
  claim: z.string().min(1).max(512),
  payloadDigest: Digest,
  requestId: z.string().min(1).max(64),
  operationId: z.string().min(1).max(64),
  /** The request from which this payload takes the claim over. */
  replaces: z.string().min(1).max(64).exactOptional(),
  /** The payload is another payment, which takes over a coin that the payment of `replaces` has left. */
  takesLeft: z.literal(true).exactOptional(),
});
export type Claim = z.infer<typeof Claim>;
const Line = Claim.extend({ previous: Digest });

export const NO_CLAIMS = { count: 0, head: '0'.repeat(64) } as const satisfies State['claims'];

/** The claims that this device has signed for, which it keeps for ever. */
export type Claims = {
  /** Throws `Refused` unless the payload may take the claim (`mayTake`). Returns after the claim is on the disk. */
  readonly record: (claim: Claim) => void;
  /** Every payload that has taken the claim. The last one holds it. */
  readonly usesOf: (claim: string) => readonly Claim[];
  /** Every claim that the request has taken. */
  readonly ofRequest: (requestId: string) => readonly Claim[];
  /** The requests that make the payment of this request in its place, or end it. */
  readonly replacementsOf: (requestId: string) => readonly string[];
};

/**
 * A claim serves one payload, and every payload that replaces the holder of the claim. Only one of these payloads can take effect
 * on chain. A payload that has taken a claim before may be signed again, because its signature is the same.
 */
export function mayTake(uses: readonly Claim[], { payloadDigest, replaces }: Pick<Claim, 'payloadDigest' | 'replaces'>): boolean {
  const isHolder = replaces !== undefined && uses.at(-1)?.requestId === replaces;
  return uses.length === 0 || isHolder || uses.some((use) => use.payloadDigest === payloadDigest);
}

/** `bytes` is the length of the whole lines. */
type Kept = { readonly claims: Map<string, readonly Claim[]>; mark: State['claims']; bytes: number };

function lineIn(text: string, previous: string): Claim {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  const read = json.ok ? Line.safeParse(json.value) : undefined;
  refuseUnlessAllowed(
    read?.success === true && canonical(read.data) === text,
    'The log of claims has a line that cannot be read.',
  );
  const { previous: linked, ...claim } = read.data;
  refuseUnlessAllowed(linked === previous, 'The log of claims was changed: a line does not follow the line before.');
  return claim;
}

const keep = ({ claims }: Pick<Kept, 'claims'>, one: Claim): void => {
  claims.set(one.claim, [...(claims.get(one.claim) ?? []), one]);
};

/**
 * The log may be longer than the state says, because a claim is written before the state. A shorter or changed log is refused:
 * a claim that is forgotten could be signed for twice.
 */
function keptIn(path: string, mark: State['claims']): Kept {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const kept: Kept = { claims: new Map(), mark: NO_CLAIMS, bytes: 0 };
  let isMarked = mark.count === 0;
  // A line without its end was cut off by a loss of power, so nothing was signed for it.
  for (const line of text.split('\n').slice(0, -1)) {
    const claim = lineIn(line, kept.mark.head);
    keep(kept, claim);
    kept.mark = { count: kept.mark.count + 1, head: digestOf({ line }) };
    kept.bytes += Buffer.byteLength(line, 'utf8') + 1;
    if (kept.mark.count === mark.count) isMarked = kept.mark.head === mark.head;
  }
  refuseUnlessAllowed(isMarked, 'The log of claims is not the log of this device, or lines are missing.');
  return kept;
}

/** Removes what a loss of power left of a line, and returns the new length. Throws `Refused` for a line of another run. */
function append(path: string, line: string, { bytes }: Kept): number {
  const isNew = !existsSync(path);
  const rest = isNew ? '' : readFileSync(path).subarray(bytes).toString('utf8');
  refuseUnlessAllowed(!rest.includes('\n'), 'Another run of the program has written a claim. Start again.');
  const file = openSync(path, 'a', 0o600);
  try {
    ftruncateSync(file, bytes);
    const written = writeSync(file, `${line}\n`);
    fsyncSync(file);
    if (isNew) syncFolderOf(path);
    return bytes + written;
  } finally {
    closeSync(file);
  }
}

/** `onMark` keeps the new mark in the state. */
export function openClaims(path: string, mark: State['claims'], onMark: (mark: State['claims']) => void): Claims {
  const kept = keptIn(path, mark);
  const usesOf = (claim: string) => kept.claims.get(claim) ?? [];
  return {
    usesOf,
    ofRequest: (requestId) => [...kept.claims.values()].flat().filter((one) => one.requestId === requestId),
    replacementsOf: (requestId) => [
      ...new Set(
        [...kept.claims.values()].flat().flatMap((one) => (one.replaces === requestId && !one.takesLeft ? [one.requestId] : [])),
      ),
    ],
    record(given) {
      const claim = Claim.parse(given);
      const uses = usesOf(claim.claim);
      if (uses.some(({ payloadDigest }) => payloadDigest === claim.payloadDigest)) return;
      if (!mayTake(uses, claim))
        throw new Refused(
          `This device has already signed another payload for ${claim.claim}, in request ${uses.at(-1)?.requestId}.`,
        );
      const line = canonical({ ...claim, previous: kept.mark.head });
      kept.bytes = append(path, line, kept);
      keep(kept, claim);
      kept.mark = { count: kept.mark.count + 1, head: digestOf({ line }) };
      onMark(kept.mark);
    },
  };
}
