import type { KeyObject } from 'node:crypto';
import { type AdoptedCharter, charterName, charterTextName } from '../record/charter-entries';
import type { Journal } from '../record/journal/journal';
import { Refusal, refuseUnless } from '../wire/refusal';
import { charterDigest, isSignedBy, readCharter, readCharterInForce, type SignedCharter } from './charter';
import { type CharterInForce, charterInForce } from './charter-in-force';

/** A charter that was read takes about ten times its text in memory. */
const KEPT_CHARS_MAX = 4 * 1024 * 1024;

export interface Charters {
  /** Undefined for an organisation that has no charter. */
  of(orgId: string): CharterInForce | undefined;
  /**
   * Puts a charter into force, and resolves once the charter is durable. The charter in force may be offered again. Throws a
   * `Refusal`.
   */
  adopt(signed: SignedCharter): Promise<AdoptedCharter & { readonly orgId: string }>;
}

type Kept = { readonly charter: CharterInForce; readonly chars: number };
type Parts = {
  readonly journal: Pick<Journal, 'index' | 'append'>;
  readonly signerId: string;
  /** Without a key no charter is accepted, and adopted charters stay in force. */
  readonly operatorKey: KeyObject | undefined;
};

export function createCharters({ journal: { index, append }, signerId, operatorKey }: Parts): Charters {
  const kept = new Map<string, Kept>();
  let keptChars = 0;

  const standing = (orgId: string) => index.get<AdoptedCharter>(charterName(orgId));

  function read(orgId: string, digest: string): Kept {
    const text = index.get<string>(charterTextName(orgId)) ?? '';
    const charter = charterDigest(text) === digest ? readCharterInForce(text) : undefined;
    // Without its charter the organisation would be judged like one that never had a charter.
    if (!charter) throw new Error(`the charter of ${orgId} cannot be read`);
    return { charter: charterInForce(charter, digest), chars: text.length };
  }

  function forget(orgId: string): void {
    keptChars -= kept.get(orgId)?.chars ?? 0;
    kept.delete(orgId);
  }

  /** Keeps the charter as the one that was used last. */
  function keep(orgId: string, used: Kept): CharterInForce {
    forget(orgId);
    kept.set(orgId, used);
    keptChars += used.chars;
    for (const oldest of kept.keys()) {
      if (keptChars <= KEPT_CHARS_MAX || oldest === orgId) break;
      forget(oldest);
    }
    return used.charter;
  }

  return {
    of(orgId) {
      const found = standing(orgId);
      if (!found) return undefined;
      const present = kept.get(orgId);
      return keep(orgId, present?.charter.digest === found.digest ? present : read(orgId, found.digest));
    },
    async adopt(signed) {
      refuseUnless(operatorKey !== undefined && isSignedBy(operatorKey, signed), 'CharterNotSigned');
      const charter = readCharter(signed.charter);
      if (!charter) throw new Refusal('CharterMalformed');
      refuseUnless(charter.signerId === signerId, 'CharterOfAnotherSigner');
      const { organizationId: orgId, sequence, previous } = charter;
      const digest = charterDigest(signed.charter);
      const before = standing(orgId);
      if (before?.digest === digest) return { orgId, ...before };
      refuseUnless(sequence === (before?.sequence ?? 0) + 1 && previous === (before?.digest ?? null), 'CharterNotNext');
      await append({ kind: 'CharterAdopted', orgId, sequence, digest, ...signed });
      keep(orgId, { charter: charterInForce(charter, digest), chars: signed.charter.length });
      return { orgId, sequence, digest };
    },
  };
}
