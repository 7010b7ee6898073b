import { AMENDMENTS, AMENDMENTS_PER_HOUR_MAX, type AmendmentKind } from '../../domain/amendments';
import { sha256Hex } from '../../platform/digests';
import { addRemovals } from './holders/credential-removals';
import type { Index } from './journal/index-store';
import { actionName } from './signing-entries';

/** `charter` is the exact text that the operator signed. `dateAdopted` is by the signer's clock. */
export type CharterAdoptedEntry = {
  readonly kind: 'CharterAdopted';
  readonly orgId: string;
  readonly sequence: number;
  readonly digest: string;
  readonly dateAdopted: string;
  readonly charter: string;
  readonly signature: string;
};

/** The lists in a charter that members may change, with the name of each list's id field. */
const SECTION_KEYS = { members: 'userId', wallets: 'id', policies: 'id', changePolicies: 'id' } as const;
export type CharterSection = keyof typeof SECTION_KEYS;
/** Replaces or adds the item with this id. Null removes the item. */
export type CharterChange = { readonly section: CharterSection; readonly id: string; readonly value: object | null };

/** `previous` and `digest` are the digests of the charter before and after. `action` is the digest of the signed action. */
export type CharterAmendedEntry = {
  readonly kind: 'CharterAmended';
  readonly orgId: string;
  readonly amendmentId: string;
  readonly amendment: AmendmentKind;
  readonly action: string;
  readonly sequence: number;
  readonly previous: string;
  readonly digest: string;
  readonly dateIssued: string;
  readonly changes: readonly CharterChange[];
};

/** `restriction` is the exact text that the member signed. `dateIssued` is by the signer's clock. */
export type CharterRestrictedEntry = Pick<
  CharterAmendedEntry,
  'orgId' | 'sequence' | 'previous' | 'digest' | 'dateIssued' | 'changes'
> & {
  readonly kind: 'CharterRestricted';
  readonly restriction: string;
  readonly credentialId: string;
  readonly signature: string;
  /** Credentials of end users, which no charter lists. */
  readonly held?: readonly { readonly userId: string; readonly credentialId: string }[];
};

/** An entry that puts a different charter into force. */
export type CharterEntry = CharterAdoptedEntry | CharterAmendedEntry | CharterRestrictedEntry;
const CHARTER_ENTRIES: Readonly<Record<CharterEntry['kind'], true>> = {
  CharterAdopted: true,
  CharterAmended: true,
  CharterRestricted: true,
};
export const CHARTER_ENTRY_KINDS = Object.keys(CHARTER_ENTRIES) as CharterEntry['kind'][];
export const isCharterEntry = <E extends { readonly kind: string }>(entry: E): entry is Extract<E, CharterEntry> =>
  Object.hasOwn(CHARTER_ENTRIES, entry.kind);

type Item = Readonly<Record<string, unknown>>;
type Content = Item & { readonly [Section in CharterSection]: readonly Item[] };

/** The text of the charter after the changes. The same arguments always give the same result. */
export function amendedText(
  text: string,
  { sequence, previous, dateIssued, changes }: Pick<CharterAmendedEntry, 'sequence' | 'previous' | 'dateIssued' | 'changes'>,
): string {
  const content = changes.reduce(changed, JSON.parse(text) as Content);
  return JSON.stringify({ ...content, sequence, previous, dateIssued });
}

function changed(content: Content, { section, id, value }: CharterChange): Content {
  const others = content[section].filter((item) => item[SECTION_KEYS[section]] !== id);
  return { ...content, [section]: value === null ? others : [...others, value] };
}

export type AdoptedCharter = Pick<CharterAdoptedEntry, 'sequence' | 'digest'>;
/** When the operator last put a charter into force: ISO 8601. */
export const adoptionName = (orgId: string) => `charter-adopted/${orgId}`;
/** The ids of the organisations that have a charter. */
export const CHARTERED = 'chartered';
/** The text has a separate name, so that an order reads the text only after a change of the charter. */
export const charterName = (orgId: string) => `charter/${orgId}`;
export const charterTextName = (orgId: string) => `charter-text/${orgId}`;
export const amendmentName = (orgId: string, amendmentId: string) => `amendment/${orgId}/${amendmentId}`;
/** The charter that resulted from a restriction with exactly this text. */
export const restrictionName = (orgId: string, text: string) => `restriction/${orgId}/${sha256Hex(text)}`;
/** When members last changed the wallet or policy: ISO 8601, by the signer's clock. Both lists of policies share one id space. */
export const itemChangedName = (orgId: string, { section, id }: Pick<CharterChange, 'section' | 'id'>) =>
  `charter-item/${orgId}/${section === 'changePolicies' ? 'policies' : section}/${id}`;

/** The times of the last amendments in ms by the signer's clock, oldest first. `Changes` and `Removals` have separate lists. */
export const amendedTimesName = (orgId: string, amendment: AmendmentKind) =>
  `amended-times/${orgId}/${AMENDMENTS[amendment].share}`;

type Facts = Pick<Index, 'get' | 'put'>;

export function applyCharterAdopted(index: Facts, { orgId, sequence, digest, dateAdopted, charter }: CharterAdoptedEntry): void {
  const chartered = index.get<readonly string[]>(CHARTERED) ?? [];
  if (!chartered.includes(orgId)) index.put(CHARTERED, [...chartered, orgId].sort());
  putCharter(index, { orgId, sequence, digest }, charter);
  index.put(adoptionName(orgId), dateAdopted);
}

export function applyCharterAmended(index: Facts, entry: CharterAmendedEntry): void {
  const { orgId, amendmentId, amendment, sequence, digest, action, changes, dateIssued } = entry;
  putCharter(index, entry, amendedText(index.get<string>(charterTextName(orgId)) ?? '', entry));
  index.put(amendmentName(orgId, amendmentId), { sequence, digest } satisfies AdoptedCharter);
  index.put(actionName(orgId, action), amendmentId);
  const times = index.get<readonly number[]>(amendedTimesName(orgId, amendment)) ?? [];
  index.put(amendedTimesName(orgId, amendment), [...times, Date.parse(dateIssued)].slice(-AMENDMENTS_PER_HOUR_MAX));
  // Amendments can only remove members and credentials, so a late removal undoes nothing and is never refused as stale.
  for (const change of changes.filter(({ section }) => section !== 'members'))
    index.put(itemChangedName(orgId, change), dateIssued);
}

export function applyCharterRestricted(index: Facts, entry: CharterRestrictedEntry): void {
  const { orgId, sequence, digest, restriction, held = [] } = entry;
  for (const { userId, credentialId } of held) addRemovals(index, { orgId, userId }, [{ credentialId, by: null }]);
  putCharter(index, entry, amendedText(index.get<string>(charterTextName(orgId)) ?? '', entry));
  index.put(restrictionName(orgId, restriction), { sequence, digest } satisfies AdoptedCharter);
}

function putCharter(index: Facts, { orgId, sequence, digest }: AdoptedCharter & { readonly orgId: string }, text: string): void {
  index.put(charterName(orgId), { sequence, digest } satisfies AdoptedCharter);
  index.put(charterTextName(orgId), text);
}
