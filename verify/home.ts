import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { hex, Id } from '../signer/wire/schemas';
import { NotVerified } from './not-verified';
import { jsonIn } from './read-file';

/** The last charter of an organisation that the person has seen, with its text, so that nothing else has to be kept. */
const Seen = z.strictObject({
  organizationId: Id,
  operatorKey: hex(32),
  sequence: z.int().positive(),
  digest: hex(32),
  dateSeen: z.iso.datetime(),
  signed: z.strictObject({ charter: z.string(), signature: z.base64() }),
});
export type Seen = z.infer<typeof Seen>;

export const DEFAULT_HOME = join(homedir(), '.strongroom-verify');
const SEEN = 'charters.json';

export const addressBookIn = (home: string): string | undefined => {
  const path = join(home, 'address-book.json');
  return existsSync(path) ? path : undefined;
};

export function chartersSeenIn(home: string): readonly Seen[] {
  const path = join(home, SEEN);
  return existsSync(path) ? jsonIn(path, z.array(Seen), 'the charters that you have seen') : [];
}

/** Throws `NotVerified` if the person has seen no charter of this organisation. */
export function lastSeen(home: string, organizationId: string): Seen {
  const seen = chartersSeenIn(home).find((one) => one.organizationId === organizationId);
  if (seen) return seen;
  throw new NotVerified(
    `You have not trusted a charter of the organisation ${organizationId} yet. Run "strongroom-verify trust" with its charter, and compare the digest with the operator's paper.`,
  );
}

export function remember(home: string, seen: Seen): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const others = chartersSeenIn(home).filter(({ organizationId }) => organizationId !== seen.organizationId);
  const partial = join(home, `.${SEEN}-${randomUUID()}.partial`);
  writeFileSync(partial, `${JSON.stringify([...others, seen], null, 1)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(partial, join(home, SEEN));
}
