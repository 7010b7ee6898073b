import type { ApprovalGroup } from '../../domain/approvals';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Reader } from '../../entities/database';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { sha256Hex } from '../../platform/digests';

/** 128 bits are enough to prevent a second key with the same fingerprint, and they keep approvals with many voters small. */
const FINGERPRINT_DIGITS = 32;

const fingerprintOf = ({ id, userId, kind, publicKey }: CredentialEntity): string =>
  sha256Hex(JSON.stringify([userId, id, kind, publicKey])).slice(0, FINGERPRINT_DIGITS);

/** The fingerprints of the current credentials of every possible approver. The approval's digest covers the fingerprints. */
export async function voterCredentials(reader: Reader, groups: readonly ApprovalGroup[]): Promise<string[]> {
  const voterIds = groups.flatMap((group) => [...group.voterIds, ...(group.escalation?.voterIds ?? [])]);
  const rows = await reader.rows(CredentialEntity, 'WHERE t.user_id = ANY($1) AND t.date_removed IS NULL', [
    [...new Set(voterIds)],
  ]);
  return rows.map(fingerprintOf).sort();
}

/**
 * True if every credential is older than the request for approval and unchanged since then; false for an empty list. If newer
 * credentials were accepted, an attacker who can add a credential to another user could decide in that user's name.
 */
export function areOldCredentials(
  { committed, dateCreated }: Pick<ApprovalEntity, 'committed' | 'dateCreated'>,
  credentials: readonly CredentialEntity[],
): boolean {
  // Approvals from earlier releases have no `credentials`.
  const known = committed?.['credentials'] as readonly string[] | undefined;
  const isOld = (row: CredentialEntity) => row.dateCreated <= dateCreated && (known?.includes(fingerprintOf(row)) ?? true);
  return credentials.length > 0 && credentials.every(isOld);
}

export async function hasOldCredentials(
  reader: Reader,
  approval: Pick<ApprovalEntity, 'committed' | 'dateCreated'>,
  { id, credentialUuid, secondFactor }: Pick<UserActionEntity, 'id' | 'credentialUuid' | 'secondFactor'>,
): Promise<boolean> {
  const named = [credentialUuid, secondFactor?.['credentialUuid']].filter((one) => typeof one === 'string');
  const rows = await credentialStore.named(reader, [id]);
  return rows.length === named.length && areOldCredentials(approval, rows);
}
