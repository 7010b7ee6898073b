import { hkdfSync } from 'node:crypto';
import { openSealed, seal } from './aead';

/** Wraps data keys. A file holds the key here; a module or a cloud service can stand behind the same three members. */
export interface KekProvider {
  readonly id: string;
  wrap(plain: Buffer, aad: Buffer): Promise<Buffer>;
  /** Throws when the ciphertext, the key or `aad` differ from those of `wrap`. */
  unwrap(sealed: Buffer, aad: Buffer): Promise<Buffer>;
}

/** Takes over the 32 bytes and wipes the caller's buffer. The id names the key without telling anything of it. */
export function createFileKek(secret: Buffer): KekProvider {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'wallet/kek/v1', 32));
  const id = `kek-${Buffer.from(hkdfSync('sha256', secret, '', 'wallet/kek-id/v1', 8)).toString('hex')}`;
  secret.fill(0);
  return {
    id,
    wrap: async (plain, aad) => seal(key, plain, aad),
    unwrap: async (sealed, aad) => openSealed(key, sealed, aad),
  };
}
