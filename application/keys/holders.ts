import type { END_USER_NETWORKS } from '../../domain/charters';
import { AppError, invariant } from '../../domain/errors';
import { charterStore } from '../../entities/charters/charter.store';
import type { Reader, Tx } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyStore } from '../../entities/keys/key.store';
import type { NewKey } from '../../entities/keys/key-record.store';
import { userActionStore } from '../../entities/user-actions/user-action.store';
import { holderCredentials } from '../charters/signing-credentials';
import { badField } from '../request-faults';

type Networks = (typeof END_USER_NETWORKS)[number];

/**
 * The signed action by which the signer learns that the end user holds the new key. Null if the key will have no holder at the
 * signer, or if the key inherits the holder from its master key. Throws `WrongState` if the end user could not sign with the key
 * under the organisation's charter. Throws `NotReady` if the action has no anchor, from which the signer learns the age of the
 * action. Throws `InvalidRequest` for the wallets of a registration that an earlier release began.
 */
export async function askingActionFor(tx: Tx, key: NewKey, userActionId: string | undefined): Promise<string | null> {
  const { delegatedTo, derivedFrom } = key;
  if (delegatedTo === null || (await charterStore.endUsers(tx)) === undefined) return null;
  if (derivedFrom !== null) {
    if (await isHeld(tx, key)) return null;
    throw wrong('a key of an end user cannot be derived from a key that another user holds at the signer', {
      keyId: derivedFrom,
    });
  }
  if (userActionId === undefined) throw badField('wallets', 'are not possible: begin the registration again');
  const credentials = (await holderCredentials(tx, delegatedTo)).map(({ id }) => id);
  if (credentials.length === 0) throw wrong('the end user has no passkey and no key with which to sign', { userId: delegatedTo });
  const action = await userActionStore.find(tx, userActionId);
  invariant(action, 'the user action of a request exists');
  if (action.anchor === null)
    throw new AppError('NotReady', 'The signer was not reached when the request was announced. Sign the request again.');
  const signedWith = [action.credentialUuid, action.secondFactor?.['credentialUuid']].filter((id) => typeof id === 'string');
  const isCounted =
    action.userId === delegatedTo
      ? signedWith.some((id) => credentials.includes(id))
      : await charterStore.hasCredential(tx, action.userId, signedWith);
  if (!isCounted) throw wrong('the signer does not count the credential that signed this request');
  return userActionId;
}

const wrong = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  new AppError('WrongState', `${message}: the charter of the organisation serves end users`, details);

/** Whether the signer has recorded the end user as the holder of this key or, for a derived key, of its master key. */
async function isHeld(
  reader: Reader,
  { delegatedTo, derivedFrom, askingActionId }: Pick<NewKey, 'delegatedTo' | 'derivedFrom' | 'askingActionId'>,
): Promise<boolean> {
  if (delegatedTo === null) return false;
  const master = derivedFrom === null ? undefined : await keyStore.find(reader, derivedFrom);
  return (master ? master.askingActionId : askingActionId) != null;
}

/**
 * The networks on which the charter lets the holder of this key sign. Undefined for a key without a holder, and if the charter
 * serves no end users.
 */
export async function networksOfHolder(reader: Reader, key: Parameters<typeof isHeld>[1]): Promise<Networks | undefined> {
  return (await isHeld(reader, key)) ? charterStore.endUsers(reader) : undefined;
}

/** The credentials and the action from which the signer learns the holder of a new key. */
export async function holdingOf(reader: Reader, { delegatedTo, askingActionId }: KeyEntity) {
  if (delegatedTo === null || askingActionId === null) return undefined;
  const holder = { userId: delegatedTo, credentials: [...(await holderCredentials(reader, delegatedTo))] };
  return { holder, userActionId: askingActionId };
}
