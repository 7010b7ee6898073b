import type { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { sha256Hex } from '../../platform/digests';
import type { SecretBox } from '../../platform/secret-box';

type Sealed = Pick<UserActionEntity, 'orgId' | 'id'>;

const contextOf = ({ orgId, id }: Sealed): string => `body ${orgId}/${id}`;

/** The sealed text can be opened only with the data key, and only as the body of this action. */
export const sealBody = (box: SecretBox, action: Sealed, text: string): string => box.seal(text, contextOf(action));

/** Undefined if the body was not stored, cannot be opened, or does not match the signed digest. */
export function openBody(
  box: SecretBox,
  action: Sealed & Pick<UserActionEntity, 'sealedBody' | 'bodySha256'>,
): string | undefined {
  if (action.sealedBody === null) return undefined;
  try {
    const text = box.open(action.sealedBody, contextOf(action));
    return sha256Hex(text) === action.bodySha256 ? text : undefined;
  } catch {
    return undefined;
  }
}
