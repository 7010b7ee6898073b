import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import type { SecretBox } from '../../platform/secret-box';

type Witnessed = Pick<UserActionEntity, 'orgId' | 'id' | 'challenge' | 'credentialUuid'> & {
  readonly secondCredentialUuid: string | undefined;
};

const contextOf = ({ orgId, id, credentialUuid, secondCredentialUuid = '' }: Witnessed): string =>
  `witness ${orgId}/${id}/${credentialUuid}/${secondCredentialUuid}`;

/**
 * The proof of an action whose factors do not sign, such as passwords and one-time codes. The API seals the challenge under the
 * data key. A process that can only write to the database lacks the data key and cannot forge such an action.
 */
export const witnessOf = (box: SecretBox, action: Witnessed): string => box.seal(action.challenge, contextOf(action));

export function isWitnessed(box: SecretBox, action: Witnessed, witness: string | null): boolean {
  if (witness === null) return false;
  try {
    return box.open(witness, contextOf(action)) === action.challenge;
  } catch {
    return false;
  }
}
