import { Refusal } from '../signer/wire/refusal';
import type { RefusalReason } from '../signer/wire/refusal-reasons';

/** The refusals of `signer/judging/people/`, in words for people. */
const WORDS: Partial<Readonly<Record<RefusalReason, string>>> = {
  NotInCharter: 'it is of a user whom the charter does not name',
  ActionMismatch: 'the signed challenge does not follow from its content, or its text is not the one that was signed',
  AssertionInvalid: 'its signature is FORGED or altered: it is not one of a key that the charter names for this user',
  ApprovalMissing: 'there is no approval',
  ApprovalMismatch: 'the approved content was ALTERED, is of another request, or lacks groups that the policies demand',
  VotesMissing: 'not enough members of the charter have signed an approval of exactly this content',
};

export function refusalWords(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  return WORDS[error.reason] ?? error.reason;
}
