import { openDek, openKey } from './envelope';
import type { KekProvider } from './kek';
import type { DekRow, SealedKeyRow } from './protocol';
import { type KeySignature, type SignOptions, schemeOf } from './schemes/scheme';

type KeyOfOrder = { readonly orgId: string; readonly keyId: string };

/** An organisation's data key while an order is at work. */
export interface OpenDataKey {
  /** Opens the key that the order names, signs as its scheme does, and forgets it. Without a gap, so that a log can take request and signature in one step. */
  sign(sealed: SealedKeyRow, order: KeyOfOrder, message: Uint8Array, options?: SignOptions): KeySignature;
  close(): void;
}

/** Signs with keys that lie sealed under a data key. What does not open is refused as `envelope.ts` says. */
export interface SealedSigning {
  open(row: DekRow, orgId: string): Promise<OpenDataKey>;
}

/** The arithmetic is JavaScript: the key stands in a buffer of this process while it signs. */
export function createPortableSigning(kek: KekProvider): SealedSigning {
  return {
    async open(row, orgId) {
      const dek = await openDek(kek, row, orgId);
      return {
        sign(sealed, order, message, options) {
          const secret = openKey(dek, sealed, order);
          try {
            return schemeOf(sealed).sign(message, secret, sealed.publicKeyHex, options);
          } finally {
            secret.fill(0);
          }
        },
        close: () => void dek.fill(0),
      };
    },
  };
}
