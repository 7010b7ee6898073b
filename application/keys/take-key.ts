import { isAbsent } from '../../domain/slots';
import type { Tx } from '../../entities/database';
import type { PlannedKey } from './plan-key';

/**
 * Reserves a secret that the store has made before for the new key. Does nothing if the signer makes the keys of the store. Throws
 * the errors of `TakeKey`.
 */
export async function takeFromStore(tx: Tx, { key, takeKey }: PlannedKey): Promise<void> {
  if (!isAbsent(takeKey)) await takeKey(tx, key);
}
