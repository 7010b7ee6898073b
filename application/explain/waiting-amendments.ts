import { AMENDMENTS, type AmendmentKind } from '../../domain/amendments';
import { paramsOf } from '../../domain/causes';
import { refusalIn } from '../../domain/signer-refusals';
import { type AmendmentRecord, amendmentStore } from '../../entities/charters/amendment.store';
import type { Reader } from '../../entities/database';
import type { Explanation } from './explanation';

const SHOWN_MAX = 100;

type Refused = { readonly reason: string | null; readonly walletId?: string | null; readonly keyId?: string };

/** The wallet of the request is what the amendment adds to the charter. */
const isOfWallet = ({ given }: AmendmentRecord, { walletId, keyId }: Refused): boolean =>
  (walletId !== undefined && given['walletId'] === walletId) || (keyId !== undefined && given['keyId'] === keyId);

const POLICY_KINDS: readonly AmendmentKind[] = ['createPolicy', 'updatePolicy', 'archivePolicy'];

/** The charter has other policies than the service, or other tags of the wallet. */
function changesJudgement({ kind, path }: AmendmentRecord, { walletId = null }: Refused): boolean {
  if (POLICY_KINDS.includes(kind)) return true;
  if (kind !== 'tagWallet' && kind !== 'untagWallet') return false;
  return walletId === null || paramsOf(AMENDMENTS[kind].path, path)?.['walletId'] === walletId;
}

/** Reasons of the signer that can mean no more than that the charter has yet to follow a change. */
const FOLLOWS: Readonly<Record<string, (amendment: AmendmentRecord, refused: Refused) => boolean>> = {
  NotInCharter: isOfWallet,
  PolicyBlocked: changesJudgement,
  ApprovalMissing: changesJudgement,
  ApprovalMismatch: changesJudgement,
};

/** The changes that the charter has yet to follow, and without which the signer may have refused the request; oldest first. */
export async function waitingAmendmentsOf(reader: Reader, refused: Refused): Promise<Explanation['waitingAmendments']> {
  const refusal = refusalIn(refused.reason) ?? '';
  const follows = Object.hasOwn(FOLLOWS, refusal) ? FOLLOWS[refusal] : undefined;
  if (!follows) return [];
  return (await amendmentStore.waiting(reader, SHOWN_MAX))
    .filter((amendment) => follows(amendment, refused))
    .map(({ id, kind, dateCreated }) => ({ amendmentId: id, kind, since: dateCreated.toISOString() }));
}
