import type { Arithmetic, DekRow, SealedKeyRow } from '../protocol';
import { type KeySignature, type SignOptions, schemeOf } from '../schemes/scheme';
import { openDek, openKey } from './envelope';
import type { KekProvider } from './kek';

/** The rows travel with the order, so they may be anybody's: organisation and key are the order's own. */
export type SealedKeyOrder = {
  readonly orgId: string;
  readonly keyId: string;
  readonly sealed: SealedKeyRow;
  readonly dek: DekRow;
};

/** One key of one order, until it is closed. */
export interface SigningKey {
  /** As `SchemeCode.sign`, and without a gap, so that a log can take request and signature in one step. Refuses as `openKey` does. */
  sign(message: Uint8Array, options?: SignOptions): KeySignature;
  close(): void;
}

/** Signs with keys that lie sealed. What does not open is refused as `envelope.ts` says, by `open` or by `sign`. */
export interface SealedSigning {
  readonly arithmetic: Arithmetic;
  open(order: SealedKeyOrder): Promise<SigningKey>;
}

/** The arithmetic is JavaScript: the key stands in a buffer of this process while it signs. */
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
