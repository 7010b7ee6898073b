import type { KeyObject } from 'node:crypto';
import { AMENDMENTS_PER_HOUR_MAX, type AmendmentKind } from '../../domain/amendments';
import { HOUR_MS } from '../../domain/durations';
import {
  type AdoptedCharter,
  adoptionName,
  amendedText,
  amendedTimesName,
  amendmentName,
  type CharterAmendedEntry,
  type CharterChange,
  charterName,
  charterTextName,
  itemChangedName,
} from '../record/charter-entries';
import { type Evidence, recorded } from '../record/evidence';
import type { Journal } from '../record/journal/journal';
import { actionName } from '../record/signing-entries';
import { Refusal, refuseUnless } from '../wire/refusal';
import { charterDigest, isSignedBy, readCharter, readCharterInForce, type SignedCharter } from './charter';
import { type CharterInForce, charterInForce } from './charter-in-force';
import { createKeptCharters } from './kept-charters';

type Amending = Pick<CharterAmendedEntry, 'orgId' | 'amendmentId' | 'amendment' | 'action' | 'changes' | 'dateIssued'> & {
  readonly evidence: readonly Evidence[];
};

export interface Charters {
  /** Undefined for an organisation that has no charter. */
  of(orgId: string): CharterInForce | undefined;
  /**
   * Puts a charter into force, and resolves once the charter is durable. The charter in force may be offered again. Throws a
   * `Refusal`.
   */
  adopt(signed: SignedCharter): Promise<AdoptedCharter & { readonly orgId: string }>;
  /** The charter to which this amendment has led. Undefined for an amendment that the signer has not made. */
  amendedBy(amendment: Pick<Amending, 'orgId' | 'amendmentId'>): AdoptedCharter | undefined;
  /** Whether members amended the charter so often within the last hour that the next amendment of this share has to wait. */
  isAmendedOften(orgId: string, amendment: AmendmentKind): boolean;
  /**
   * Changes the charter, and resolves once the change is durable. Must run in the same step as the judgement of the amendment.
   * Throws a `Refusal`.
   */
  amend(amending: Amending): Promise<AdoptedCharter>;
  /** When the item was last changed by members, or the whole charter by the operator. */
  changedAtMs(orgId: string, item: Pick<CharterChange, 'section' | 'id'>): number;
}

type Parts = {
  readonly journal: Pick<Journal, 'index' | 'append'>;
  readonly signerId: string;
  /** Without a key no charter is accepted, and adopted charters stay in force. */
  readonly operatorKey: KeyObject | undefined;
  readonly nowMs: () => number;
};

export function createCharters({ journal: { index, append }, signerId, operatorKey, nowMs }: Parts): Charters {
  const kept = createKeptCharters();

  const standing = (orgId: string) => index.get<AdoptedCharter>(charterName(orgId));

  function read(orgId: string, digest: string) {
    const text = index.get<string>(charterTextName(orgId)) ?? '';
    const charter = charterDigest(text) === digest ? readCharterInForce(text) : undefined;
    // Without its charter the organisation would be judged like one that never had a charter.
    if (!charter) throw new Error(`the charter of ${orgId} cannot be read`);
    return { charter: charterInForce(charter, digest), chars: text.length };
  }

  return {
    of(orgId) {
      const found = standing(orgId);
      if (!found) return undefined;
      return kept.keep(orgId, kept.with(orgId, found.digest) ?? read(orgId, found.digest));
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
      const dateAdopted = new Date(nowMs()).toISOString();
      await append({ kind: 'CharterAdopted', orgId, sequence, digest, dateAdopted, ...signed });
      kept.keep(orgId, { charter: charterInForce(charter, digest), chars: signed.charter.length });
      return { orgId, sequence, digest };
    },
    amendedBy: ({ orgId, amendmentId }) => index.get<AdoptedCharter>(amendmentName(orgId, amendmentId)),
    isAmendedOften(orgId, amendment) {
      const times = index.get<readonly number[]>(amendedTimesName(orgId, amendment)) ?? [];
      const [oldest = 0] = times.slice(-AMENDMENTS_PER_HOUR_MAX);
      return times.length >= AMENDMENTS_PER_HOUR_MAX && oldest > nowMs() - HOUR_MS;
    },
    async amend({ evidence, ...amending }) {
      const { orgId, changes } = amending;
      const before = standing(orgId);
      refuseUnless(before !== undefined, 'NotInCharter');
      refuseUnless(index.get(actionName(orgId, amending.action)) === undefined, 'ActionUsed');
      if (changes.length === 0) return before;
      const head = { sequence: before.sequence + 1, previous: before.digest };
      const text = amendedText(index.get<string>(charterTextName(orgId)) ?? '', { ...amending, ...head });
      const charter = readCharterInForce(text);
      if (!charter) throw new Refusal('CharterMalformed');
      const digest = charterDigest(text);
      await append({ kind: 'CharterAmended', ...amending, ...head, digest }, recorded(evidence));
      kept.keep(orgId, { charter: charterInForce(charter, digest), chars: text.length });
      return { sequence: head.sequence, digest };
    },
    changedAtMs(orgId, item) {
      const dates = [adoptionName(orgId), itemChangedName(orgId, item)].map((name) => index.get<string>(name));
      return Math.max(0, ...dates.map((date) => (date === undefined ? 0 : Date.parse(date))));
    },
  };
}
