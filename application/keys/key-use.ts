import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import type { KeyEntity } from '../../entities/keys/key.entity';

type Usable = Pick<KeyEntity, 'id' | 'status' | 'dateExported'>;

/** Throws `WrongState` for a deleted or exported key. */
export function assertUsableKey({ id: keyId, status, dateExported }: Usable): void {
  if (status !== 'Active') throw new AppError('WrongState', 'key is not active', { keyId });
  if (dateExported) throw new AppError('WrongState', 'key was exported and is no longer used here', { keyId });
}

/** Throws the errors of `assertUsableKey`. Throws `Forbidden` if the key belongs to an end user who is not the caller. */
export function assertMaySign(
  { kind, userId }: Pick<Caller, 'kind' | 'userId'>,
  key: Usable & Pick<KeyEntity, 'delegatedTo'>,
): void {
  assertUsableKey(key);
  if (key.delegatedTo === null || key.delegatedTo === userId) return;
  throw new AppError('Forbidden', `${kind} ${userId} is not authorized to use a key that is delegated to an end user`, {
    keyId: key.id,
  });
}
