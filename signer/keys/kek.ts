import { hkdfSync } from 'node:crypto';
import { lengthPrefixed, openSealed, seal } from './aead';

/**
 * The context of a wrapped data key. The data key cannot be opened in any other context, and a cloud service logs the context.
 */
export type KekPlace = {
  /** The kind of secret that is wrapped, with the version of its format. */
  readonly purpose: string;
  readonly orgId: string;
  readonly dekId: string;
  readonly kekId: string;
};

export interface KekProvider {
  readonly id: string;
  wrap(plain: Buffer, place: KekPlace): Promise<Buffer>;
  /**
   * The caller wipes the result. Throws unless the ciphertext, the key and `place` are the same as in `wrap`. Throws
   * `KekUnavailable` if the key-encryption key cannot be used now.
   */
  unwrap(sealed: Buffer, place: KekPlace): Promise<Buffer>;
}

/** The key-encryption key is unreachable, or is not configured in this process. The same order may succeed later. */
export class KekUnavailable extends Error {
  override readonly name = 'KekUnavailable';
}

/**
 * The active key wraps data keys. An old key only opens data keys, and is needed until a rotation has replaced every row that
 * names the old key.
 */
export function createKekRing(active: KekProvider, decryptOnly: readonly KekProvider[]): KekProvider {
  const byId = new Map([...decryptOnly, active].map((kek) => [kek.id, kek]));
  return {
    id: active.id,
    wrap: (plain, place) => active.wrap(plain, place),
    async unwrap(sealed, place) {
      const kek = byId.get(place.kekId);
      if (!kek) throw new KekUnavailable(`the key-encryption key ${place.kekId} is not among those configured`);
      return kek.unwrap(sealed, place);
    },
  };
}

export const kekAad = ({ purpose, orgId, dekId, kekId }: KekPlace) => lengthPrefixed(purpose, orgId, dekId, kekId);

export const rootOf = (secret: Buffer): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'wallet/kek/v1', 32));
export const kekIdOf = (bytes: ArrayBuffer | Buffer): string => `kek-${Buffer.from(bytes as Buffer).toString('hex')}`;

/**
 * Keeps the key in JavaScript's memory. Takes ownership of the 32 bytes and wipes the caller's buffer. The id reveals nothing
 * about the key.
 */
export function createFileKek(secret: Buffer): KekProvider {
  const key = rootOf(secret);
  const id = kekIdOf(hkdfSync('sha256', secret, '', 'wallet/kek-id/v1', 8));
  secret.fill(0);
  return {
    id,
    wrap: async (plain, place) => seal(key, plain, kekAad(place)),
    unwrap: async (sealed, place) => openSealed(key, sealed, kekAad(place)),
  };
}
