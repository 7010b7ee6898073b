import { errorCode } from '../error-code';
import { sealedPartsOf } from '../keys/envelope';
import type { KekProvider } from '../keys/kek';
import { createPortableSigning, type SealedKeyOrder, type SealedSigning } from '../keys/sealed-signing';
import { toSignature } from '../schemes/key-signature';
import type { KeySignature, SignOptions } from '../schemes/scheme';
import { Refusal } from '../wire/refusal';
import { type Addon, NATIVE_FORMS } from './addon';
import { createHeldDataKeys } from './held-data-keys';

const SIGNATURE_BYTES = 64;
const NO_RECOVERY_ID = 0xff;

const numberOf = ({ scheme, curve }: SealedKeyOrder['sealed']) =>
  NATIVE_FORMS.find((form) => form.scheme === scheme && form.curve === curve)?.number;

/** Throws `EnvelopeRejected` if the key does not open, and an Error if the signature does not verify. */
export function signNatively(
  addon: Addon,
  slot: number,
  form: number,
  { sealed, keyId, orgId }: Omit<SealedKeyOrder, 'dek'>,
  message: Uint8Array,
  root?: Uint8Array,
): KeySignature {
  const { bytes, aad } = sealedPartsOf(sealed, { orgId, keyId });
  const publicKey = Buffer.from(sealed.publicKeyHex, 'hex');
  const salt = Buffer.from(keyId, 'utf8');
  try {
    const made = addon.sign(slot, salt, bytes, aad, form, Buffer.from(message), publicKey, root && Buffer.from(root));
    const recoveryId = made[SIGNATURE_BYTES];
    return toSignature(made.subarray(0, SIGNATURE_BYTES), recoveryId === NO_RECOVERY_ID ? undefined : recoveryId);
  } catch (error) {
    if (errorCode(error) === 'EnvelopeRejected') throw new Refusal('EnvelopeRejected');
    throw error;
  }
}

/** The key is opened, used and wiped in locked memory. Only keys on the STARK curve sign in JavaScript. */
export function createNativeSigning(addon: Addon, kek: KekProvider, nowMs: () => number = () => Date.now()): SealedSigning {
  const portable = createPortableSigning(kek);
  const holdDataKey = createHeldDataKeys(addon, kek, nowMs);
  return {
    arithmetic: 'native',
    async open(order) {
      const form = numberOf(order.sealed);
      if (form === undefined) return portable.open(order);
      const held = await holdDataKey(order.dek, order.orgId);
      let isClosed = false;
      return {
        sign(message: Uint8Array, options?: SignOptions) {
          if (isClosed) throw new Error('this key was closed');
          return signNatively(addon, held.slot, form, order, message, options?.taprootMerkleRoot);
        },
        close() {
          isClosed = true;
          held.release();
        },
      };
    },
  };
}
