import type { Arithmetic, DekRow, SealedKeyRow } from '../protocol';
import { type KeySignature, type SignOptions, schemeOf } from '../schemes/scheme';
import { openDek, openKey } from './envelope';
import type { KekProvider } from './kek';

/**
 * The rows arrive with the order and could belong to another key, so the rows must name the organisation and the key of the
 * order.
 */
export type SealedKeyOrder = {
  readonly orgId: string;
  readonly keyId: string;
  readonly sealed: SealedKeyRow;
  readonly dek: DekRow;
};

/** An opened key, for one order. */
export interface SigningKey {
  /**
   * Signs as `SchemeCode.sign` does. The call is synchronous, so that the log can record the request and the signature in one
   * step. Throws the same refusals as `openKey`.
   */
  sign(message: Uint8Array, options?: SignOptions): KeySignature;
  close(): void;
}

/** For a key that does not open, either `open` or `sign` throws the refusal of `envelope.ts`. */
export interface SealedSigning {
  readonly arithmetic: Arithmetic;
  open(order: SealedKeyOrder): Promise<SigningKey>;
}

/** While a key signs, its secret is in a buffer of this process. */
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
