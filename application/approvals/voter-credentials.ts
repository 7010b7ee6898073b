import type { ApprovalGroup } from '../../domain/approvals';
import type { ApprovalEntity } from '../../entities/approvals/approval.entity';
import { CredentialEntity } from '../../entities/credentials/credential.entity';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Reader } from '../../entities/database';
import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { sha256Hex } from '../../platform/digests';

/**
 * These hexadecimal digits are 128 bits. 128 bits are enough to prevent a second key with the same fingerprint, and few enough
 * to keep approvals with many voters small.
 */
const FINGERPRINT_DIGITS = 32;

const fingerprintOf = ({ id, userId, kind, publicKey }: CredentialEntity): string =>
  sha256Hex(JSON.stringify([userId, id, kind, publicKey])).slice(0, FINGERPRINT_DIGITS);

/** The fingerprints of the current credentials of everyone who may approve. The approval's digest covers these fingerprints. */
export async function voterCredentials(reader: Reader, groups: readonly ApprovalGroup[]): Promise<string[]> {
  const voterIds = groups.flatMap((group) => [...group.voterIds, ...(group.escalation?.voterIds ?? [])]);
  const rows = await reader.rows(CredentialEntity, 'WHERE t.user_id = ANY($1) AND t.date_removed IS NULL', [
    [...new Set(voterIds)],
  ]);
  return rows.map(fingerprintOf).sort();
}

/**
 * Whether the list is not empty, and every credential in the list is unchanged since the approval was requested. A new or
 * changed credential does not count. Otherwise an attacker who can add a credential to another user could decide in that user's
 * name.
 */
export function areOldCredentials(
  { committed, dateCreated }: Pick<ApprovalEntity, 'committed' | 'dateCreated'>,
  credentials: readonly CredentialEntity[],
): boolean {
  // Approvals of earlier releases have no `credentials`.
  const known = committed?.['credentials'] as readonly string[] | undefined;
  const isOld = (row: CredentialEntity) => row.dateCreated <= dateCreated && (known?.includes(fingerprintOf(row)) ?? true);
  return credentials.length > 0 && credentials.every(isOld);
}

/** Whether a user action was signed only with credentials that are unchanged since the approval was requested. */
export async function hasOldCredentials(
  reader: Reader,
  approval: Pick<ApprovalEntity, 'committed' | 'dateCreated'>,
  { id, credentialUuid, secondFactor }: Pick<UserActionEntity, 'id' | 'credentialUuid' | 'secondFactor'>,
): Promise<boolean> {
  const named = [credentialUuid, secondFactor?.['credentialUuid']].filter((one) => typeof one === 'string');
  const rows = await credentialStore.named(reader, [id]);
  return rows.length === named.length && areOldCredentials(approval, rows);
}
