import { createHash, randomBytes } from 'node:crypto';
import { openSealed, seal } from '../keys/aead';
import { sealKey } from '../keys/envelope';
import { type KekProvider, rootOf } from '../keys/kek';
import { createPortableSigning, type SealedSigning } from '../keys/sealed-signing';
import type { Arithmetic } from '../protocol';
import { schemeOf } from '../schemes/scheme';
import { StartError } from '../start-error';
import { type Addon, loadAddon, NATIVE_FORMS } from './addon';
import { createNativeSigning, signNatively } from './native-signing';

const PLACE = { orgId: 'or-trial', keyId: 'key-trial', dekId: 'dk-trial' };

/** Schnorr is also tested with a tweaked key, as for Taproot coins, because tweaking has arithmetic of its own. */
const NO_SCRIPT_TREE = new Uint8Array();
const TRIALS = [
  ...NATIVE_FORMS.map((form) => ({ ...form, root: undefined })),
  ...NATIVE_FORMS.filter(({ scheme }) => scheme === 'Schnorr').map((form) => ({ ...form, root: NO_SCRIPT_TREE })),
];

/**
 * Compares one signature in every form with the portable arithmetic. The signer must not start with a library that computes
 * wrongly.
 */
function assertCountsRight(addon: Addon): void {
  const dek = randomBytes(32);
  const message = createHash('sha256').update('the test message of the start').digest();
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
          `the native arithmetic signs ${scheme} on ${curve}${root ? ' with a tweak' : ''} differently from the portable one`,
        );
    }
  } finally {
    addon.dropKey(slot);
  }
}

/**
 * The addon, with the root key in locked memory, and the portable code must open each other's ciphertexts. No ciphertext may
 * open under another context.
 */
function assertWrapsRight(addon: Addon): void {
  const [secret, plain] = [randomBytes(32), randomBytes(32)];
  const [aad, otherAad] = [Buffer.from('a trial'), Buffer.from('another trial')];
  const root = rootOf(secret);
  const slot = addon.putRoot(Buffer.from(secret));
  try {
    const wrapped = addon.wrap(slot, plain, aad);
    const agree = openSealed(root, wrapped, aad).equals(plain) && addon.unwrap(slot, seal(root, plain, aad), aad).equals(plain);
    if (!agree || opens(() => addon.unwrap(slot, wrapped, otherAad)))
      throw new StartError('the native arithmetic wraps data keys differently from the portable one');
  } finally {
    addon.dropKey(slot);
  }
}

function opens(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/**
 * Undefined for the portable arithmetic. Never falls back to it: throws a `StartError` if the addon is missing, broken or wrong.
 */
export function openAddon({ arithmetic, nativeFile }: { arithmetic: Arithmetic; nativeFile: string }): Addon | undefined {
  if (arithmetic === 'portable') return undefined;
  const addon = loadAddon(nativeFile);
  assertCountsRight(addon);
  assertWrapsRight(addon);
  return addon;
}

export const openSigning = (addon: Addon | undefined, kek: KekProvider): SealedSigning =>
  addon ? createNativeSigning(addon, kek) : createPortableSigning(kek);
