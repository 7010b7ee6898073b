import { type KekProvider, kekAad, kekIdOf } from '../keys/kek';
import type { Addon } from './addon';

/**
 * Like `createFileKek`, but derives, holds and uses the root in locked memory. Takes ownership of the 32 bytes and wipes the
 * caller's buffer.
 */
export function createLockedKek(addon: Addon, secret: Buffer): KekProvider {
  try {
    const id = kekIdOf(addon.rootIdOf(secret));
    const slot = addon.putRoot(secret);
    return {
      id,
      wrap: async (plain, place) => addon.wrap(slot, plain, kekAad(place)),
      unwrap: async (sealed, place) => addon.unwrap(slot, sealed, kekAad(place)),
    };
  } finally {
    secret.fill(0);
  }
}
