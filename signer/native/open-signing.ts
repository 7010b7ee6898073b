import { createHash, randomBytes } from 'node:crypto';
import { sealKey } from '../envelope';
import type { KekProvider } from '../kek';
import type { Arithmetic } from '../protocol';
import { schemeOf } from '../schemes/scheme';
import { createPortableSigning, type SealedSigning } from '../sealed-signing';
import { StartError } from '../start-error';
import { type Addon, loadAddon, NATIVE_FORMS } from './addon';
import { createNativeSigning, signNatively } from './native-signing';

const PLACE = { orgId: 'or-trial', keyId: 'key-trial', dekId: 'dk-trial' };

/** A Taproot coin is spent with a tweaked key, which is arithmetic of its own. */
const NO_SCRIPT_TREE = new Uint8Array();
const TRIALS = [
  ...NATIVE_FORMS.map((form) => ({ ...form, root: undefined })),
  ...NATIVE_FORMS.filter(({ scheme }) => scheme === 'Schnorr').map((form) => ({ ...form, root: NO_SCRIPT_TREE })),
];

/** Signs once with every form, with keys of the moment, and compares with the portable arithmetic: a library that counts wrong never starts. */
function assertCountsRight(addon: Addon): void {
  const dek = randomBytes(32);
  const message = createHash('sha256').update('a trial before the start').digest();
  const slot = addon.putKey(Buffer.from(dek));
  try {
    for (const { scheme, curve, number, root } of TRIALS) {
      const code = schemeOf({ scheme, curve });
      const secret = code.createSecret();
      const publicKeyHex = code.publicKeyHexOf(secret);
      const sealed = sealKey(dek, { ...PLACE, scheme, curve, publicKeyHex }, secret);
      const made = signNatively(addon, slot, number, { ...PLACE, sealed }, message, root);
      const expected = code.sign(message, secret, publicKeyHex, root && { taprootMerkleRoot: root });
      if (made.r !== expected.r || made.s !== expected.s || made.recoveryId !== expected.recoveryId)
        throw new StartError(
          `the native arithmetic signs ${scheme} on ${curve}${root ? ' with a tweak' : ''} otherwise than the portable one`,
        );
    }
  } finally {
    addon.dropKey(slot);
  }
}

/** The signing that was asked for, and never another: throws a `StartError` when the native one is missing, broken or wrong. */
export function openSigning(
  { arithmetic, nativeFile }: { arithmetic: Arithmetic; nativeFile: string },
  kek: KekProvider,
): SealedSigning {
  if (arithmetic === 'portable') return createPortableSigning(kek);
  const addon = loadAddon(nativeFile);
  assertCountsRight(addon);
  return createNativeSigning(addon, kek);
}
