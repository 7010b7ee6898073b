import type { KeyObject } from 'node:crypto';
import { AMENDMENTS_PER_HOUR_MAX, type AmendmentKind } from '../../domain/amendments';
import { HOUR_MS } from '../../domain/durations';
import { during } from '../../platform/points';
import { isOfEndUser, judgeRestriction } from '../judging/amendments/judge-restriction';
import {
  type AdoptedCharter,
  adoptionName,
  amendedTimesName,
  amendmentName,
  type CharterAmendedEntry,
  type CharterChange,
  itemChangedName,
  restrictionName,
} from '../record/charter-entries';
import type { Evidence } from '../record/evidence';
import type { HolderCredentials } from '../record/holders/holder-credentials';
import type { Journal } from '../record/journal/journal';
import { actionName } from '../record/signing-entries';
import { Refusal, refuseUnless } from '../wire/refusal';
import { charterDigest, isSignedBy, readCharter, type SignedCharter } from './charter';
import { createCharterChain } from './charter-chain';
import type { CharterInForce } from './charter-in-force';
import { type Restriction, readRestriction, type SignedRestriction } from './restriction';

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
  /**
   * Applies removals that a member signed for exactly the charter in force, and resolves once the change is durable. The hourly
   * limit of amendments does not apply, because a restriction must overtake the amendments that a hostile worker sends. The same
   * restriction may be offered again while its resulting charter is in force. Throws a `Refusal`.
   */
  restrict(signed: SignedRestriction): Promise<AdoptedCharter & { readonly orgId: string }>;
  /** The charter that resulted from this amendment. Undefined for an amendment that the signer has not made. */
  amendedBy(amendment: Pick<Amending, 'orgId' | 'amendmentId'>): AdoptedCharter | undefined;
  /** Whether the last hour's amendments have reached `AMENDMENTS_PER_HOUR_MAX`. Changes and removals are counted separately. */
  isAmendedOften(orgId: string, amendment: AmendmentKind): boolean;
  /**
   * Changes the charter, and resolves once the change is durable. Must run in the same step as the judgement of the amendment.
   * Throws a `Refusal`.
   */
  amend(amending: Amending): Promise<AdoptedCharter>;
  /** The time when members last changed the item, or when the operator last replaced the charter, whichever is later. */
  changedAtMs(orgId: string, item: Pick<CharterChange, 'section' | 'id'>): number;
}

type Parts = {
  readonly journal: Pick<Journal, 'index' | 'append'>;
  readonly holders: Pick<HolderCredentials, 'effectOf'>;
  readonly signerId: string;
  /** Without this key, the signer does not accept a new charter, but adopted charters stay in force. */
  readonly operatorKey: KeyObject | undefined;
  readonly nowMs: () => number;
};

export function createCharters({ journal, holders, signerId, operatorKey, nowMs }: Parts): Charters {
  const { index } = journal;
  const { standing, of, adopted, changed } = createCharterChain(journal);
  const now = () => new Date(nowMs()).toISOString();
  return {
    of,
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
      await adopted({ kind: 'CharterAdopted', orgId, sequence, digest, dateAdopted: now(), ...signed }, charter);
      return { orgId, sequence, digest };
    },
    async restrict(signed) {
      const restriction = readRestriction(signed.restriction);
      if (!restriction) throw new Refusal('CharterMalformed');
      refuseUnless(restriction.signerId === signerId, 'CharterOfAnotherSigner');
      const { organizationId: orgId } = restriction;
      return during('restrictCharter', { orgId }, async () => {
        const charter = of(orgId);
        refuseUnless(charter !== undefined, 'NotInCharter');
        const known = index.get<AdoptedCharter>(restrictionName(orgId, signed.restriction));
        if (known?.digest === charter.digest) return { orgId, ...known };
        // Otherwise an old restriction could again remove items that a later charter has restored.
        refuseUnless(restriction.charter === charter.digest, 'CharterNotNext');
        const changes = judgeRestriction(charter, restriction, signed);
        const held = heldIn(charter, restriction, holders);
        const also = held.length > 0 ? { held } : {};
        return {
          orgId,
          ...(await changed({ kind: 'CharterRestricted', orgId, ...signed, changes, ...also, dateIssued: now() })),
        };
      });
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
      return changed({ kind: 'CharterAmended', ...amending }, evidence);
    },
    changedAtMs(orgId, item) {
      const dates = [adoptionName(orgId), itemChangedName(orgId, item)].map((name) => index.get<string>(name));
      return Math.max(0, ...dates.map((date) => (date === undefined ? 0 : Date.parse(date))));
    },
  };
}

/** The credentials of end users that the restriction removes. Throws a `Refusal` unless each removal has an effect. */
function heldIn(charter: CharterInForce, { organizationId: orgId, removes }: Restriction, holders: Parts['holders']) {
  const held = removes.filter((removal) => isOfEndUser(charter, removal));
  for (const [at, { userId }] of held.entries()) {
    const ofUser = held.slice(0, at + 1).filter((one) => one.userId === userId);
    const removals = ofUser.map(({ credentialId }) => ({ credentialId, by: null }));
    const effect = holders.effectOf({ orgId, userId }, removals);
    refuseUnless(effect !== 'Absent', 'NotInCharter');
    refuseUnless(effect === 'Removed', 'CredentialKept');
  }
  return held;
}
