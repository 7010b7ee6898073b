import type { CharterCredential, CharterMember } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import { isRestrictionSignedBy, type Removal, type Restriction, type SignedRestriction } from '../../charters/restriction';
import type { CharterChange } from '../../record/charter-entries';
import { Refusal, refuseUnless } from '../../wire/refusal';

/** Each of these operations also permits a credential to remove members by amendments. */
const REMOVING: readonly CharterCredential['operations'][number][] = ['deactivateUser', 'archiveUser'];

type OfEndUser = Required<Removal>;

/**
 * Whether the removal names a credential of a person who is not a member. Only the journal shows whether this person is an end
 * user who holds a key.
 */
export const isOfEndUser = (charter: Pick<CharterInForce, 'member'>, removal: Removal): removal is OfEndUser =>
  charter.member(removal.userId) === undefined && removal.credentialId !== undefined;

/**
 * The changes that the restriction makes to the charter. The caller has checked that the restriction names this charter. Throws a
 * `Refusal` unless a key of the member signed the text and has the right to make all these removals.
 */
export function judgeRestriction(
  charter: CharterInForce,
  { by, removes }: Restriction,
  signed: SignedRestriction,
): readonly CharterChange[] {
  refuseUnless(charter.member(by) !== undefined, 'NotInCharter');
  const credential = charter.credential(by, signed.credentialId);
  const isSigned = credential?.kind === 'Key' && isRestrictionSignedBy(credential.publicKey, signed);
  refuseUnless(credential !== undefined && isSigned, 'AssertionInvalid');
  return removedBy(charter, { by, removes }, credential);
}

/** Throws a `Refusal` unless this credential of the member may make all removals. Does not check the signature. */
export function removedBy(
  charter: CharterInForce,
  { by, removes }: Pick<Restriction, 'by' | 'removes'>,
  credential: CharterCredential,
): readonly CharterChange[] {
  const mayRemove = REMOVING.some((operation) => credential.operations.includes(operation));
  const left = new Map<string, CharterMember | null>();
  for (const removal of removes) {
    // As with amendments, every member may remove their own credentials.
    const isOwn = removal.userId === by && removal.credentialId !== undefined;
    refuseUnless(isOwn || mayRemove, 'NotPermitted');
    if (isOfEndUser(charter, removal)) continue;
    const before = left.get(removal.userId);
    left.set(removal.userId, without(before === undefined ? charter.member(removal.userId) : before, removal));
  }
  return [...left].map(([id, value]) => ({ section: 'members', id, value }));
}

/** Refuses to remove an absent item, because the person who signed the removal has not seen the charter in force. */
function without(member: CharterMember | null | undefined, { credentialId }: Removal): CharterMember | null {
  if (!member) throw new Refusal('NotInCharter');
  if (credentialId === undefined) return null;
  const credentials = member.credentials.filter(({ id }) => id !== credentialId);
  refuseUnless(credentials.length < member.credentials.length, 'NotInCharter');
  return { ...member, credentials };
}
