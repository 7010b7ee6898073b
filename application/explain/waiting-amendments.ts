import { AMENDMENTS, type AmendmentKind } from '../../domain/amendments';
import { paramsOf } from '../../domain/causes';
import { refusalIn } from '../../domain/signer-refusals';
import { type AmendmentRecord, amendmentStore } from '../../entities/charters/amendment.store';
import type { Reader } from '../../entities/database';
import type { Explanation } from './explanation';

const SHOWN_MAX = 100;

type Refused = { readonly reason: string | null; readonly walletId?: string | null; readonly keyId?: string };

/** Whether the amendment adds the wallet or key of the request to the charter. */
const isOfWallet = ({ given }: AmendmentRecord, { walletId, keyId }: Refused): boolean =>
  (walletId !== undefined && given['walletId'] === walletId) || (keyId !== undefined && given['keyId'] === keyId);

const POLICY_KINDS: readonly AmendmentKind[] = ['createPolicy', 'updatePolicy', 'archivePolicy'];

/** Whether the amendment changes a policy, or the tags of the request's wallet. */
function changesJudgement({ kind, path }: AmendmentRecord, { walletId = null }: Refused): boolean {
  if (POLICY_KINDS.includes(kind)) return true;
  if (kind !== 'tagWallet' && kind !== 'untagWallet') return false;
  return walletId === null || paramsOf(AMENDMENTS[kind].path, path)?.['walletId'] === walletId;
}

/** The signer's refusal reasons that a change may explain while the charter does not contain the change yet. */
const FOLLOWS: Readonly<Record<string, (amendment: AmendmentRecord, refused: Refused) => boolean>> = {
  NotInCharter: isOfWallet,
  PolicyBlocked: changesJudgement,
  ApprovalMissing: changesJudgement,
  ApprovalMismatch: changesJudgement,
};

/** The changes that the charter does not contain yet and that may explain the signer's refusal of the request, oldest first. */
export async function waitingAmendmentsOf(reader: Reader, refused: Refused): Promise<Explanation['waitingAmendments']> {
  const refusal = refusalIn(refused.reason) ?? '';
  const follows = Object.hasOwn(FOLLOWS, refusal) ? FOLLOWS[refusal] : undefined;
  if (!follows) return [];
  return (await amendmentStore.waiting(reader, SHOWN_MAX))
    .filter((amendment) => follows(amendment, refused))
    .map(({ id, kind, dateCreated }) => ({ amendmentId: id, kind, since: dateCreated.toISOString() }));
}
