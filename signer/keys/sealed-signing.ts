import type { Arithmetic, DekRow, SealedKeyRow } from '../protocol';
import { type KeySignature, type SignOptions, schemeOf } from '../schemes/scheme';
import { openDek, openKey } from './envelope';
import type { KekProvider } from './kek';

/**
 * The key rows arrive with the order and could belong to another key, so the organisation and key that they name must be the
 * order's own.
 */
export type SealedKeyOrder = {
  readonly orgId: string;
  readonly keyId: string;
  readonly sealed: SealedKeyRow;
  readonly dek: DekRow;
};

/** An opened key, for one order. `close` ends its use. */
export interface SigningKey {
  /**
   * Signs as `SchemeCode.sign` does. Synchronous, so that the log can record request and signature in one step. Refuses as
   * `openKey` does.
   */
  sign(message: Uint8Array, options?: SignOptions): KeySignature;
  close(): void;
}

/** Signs with sealed keys. `open` or `sign` refuses a key that does not open, as `envelope.ts` specifies. */
export interface SealedSigning {
  readonly arithmetic: Arithmetic;
  open(order: SealedKeyOrder): Promise<SigningKey>;
}

/** The arithmetic is JavaScript: the key is in a buffer of this process while it signs. */
export function createPortableSigning(kek: KekProvider): SealedSigning {
  return {
    arithmetic: 'portable',
    async open(order) {
      const dek = await openDek(kek, order.dek, order.orgId);
      return {
        sign(message, options) {
          const secret = openKey(dek, order.sealed, order);
          try {
            return schemeOf(order.sealed).sign(message, secret, order.sealed.publicKeyHex, options);
          } finally {
            secret.fill(0);
          }
        },
        close: () => void dek.fill(0),
      };
    },
  };
}
