import { createDek, openDek, sealKey } from '../../../signer/keys/envelope';
import { createPortableSigning } from '../../../signer/keys/sealed-signing';
import { loadAddon } from '../../../signer/native/addon';
import { createNativeSigning } from '../../../signer/native/native-signing';
import { schemeOf } from '../../../signer/schemes/scheme';
import { HAS_NATIVE, NATIVE_FILE } from '../../support/native-arithmetic';
import { kekOf } from '../fixtures';

export const KEYS = {
  ecdsa: { scheme: 'ECDSA', curve: 'secp256k1' },
  schnorr: { scheme: 'Schnorr', curve: 'secp256k1' },
  eddsa: { scheme: 'EdDSA', curve: 'ed25519' },
  stark: { scheme: 'ECDSA', curve: 'stark' },
} as const;
type Form = (typeof KEYS)[keyof typeof KEYS];

const kek = kekOf(6);
const both = [createPortableSigning(kek)];
if (HAS_NATIVE) both.push(createNativeSigning(loadAddon(NATIVE_FILE), kek));

/** The signatures that a sealed key makes with the portable arithmetic, and with the native arithmetic if it is built. */
export async function signBoth(form: Form, secret: Buffer, message: Uint8Array, taprootMerkleRoot?: Uint8Array) {
  const [orgId, keyId] = ['or-vectors', 'key-vectors'];
  const dek = await createDek(kek, orgId);
  const plain = await openDek(kek, dek, orgId);
  const publicKeyHex = schemeOf(form).publicKeyHexOf(secret);
  const sealed = sealKey(plain, { orgId, keyId, ...form, publicKeyHex, dekId: dek.dekId }, secret);
  return Promise.all(
    both.map(async (signing) => {
      const key = await signing.open({ orgId, keyId, sealed, dek });
      try {
        return key.sign(message, taprootMerkleRoot ? { taprootMerkleRoot } : undefined);
      } finally {
        key.close();
      }
    }),
  );
}
