import { createRequire } from 'node:module';
import { z } from 'zod';
import { StartError } from '../start-error';

/** Numbered as in signing.h. */
export const NATIVE_FORMS = [
  { scheme: 'ECDSA', curve: 'secp256k1', number: 0 },
  { scheme: 'Schnorr', curve: 'secp256k1', number: 1 },
  { scheme: 'EdDSA', curve: 'ed25519', number: 2 },
] as const;

/**
 * Each function throws an Error with a `code` of BadArguments, VaultFull, EnvelopeRejected, NotVerified or NotReady. A slot is
 * memory that is locked and excluded from core dumps.
 */
export interface Addon {
  /** Takes ownership of the 32 bytes of a data key and wipes the buffer. */
  putKey(key: Buffer): number;
  dropKey(slot: number): void;
  /** The eight bytes that identify a root without revealing the root. */
  rootIdOf(secret: Buffer): Buffer;
  /** Derives the root of the key envelopes from 32 bytes and wipes the buffer. The root never leaves its slot. */
  putRoot(secret: Buffer): number;
  /** Seals under the root in the slot, in the same format as `seal` in `aead.ts`. */
  wrap(slot: number, plain: Buffer, aad: Buffer): Buffer;
  /** The caller wipes the result. */
  unwrap(slot: number, sealed: Buffer, aad: Buffer): Buffer;
  /** After this call, no memory of this process can become executable. Returns false if the system cannot guarantee that. */
  denyNewCode(): boolean;
  /**
   * After this call, this process can neither start a program nor read another process. Unless the process needs a network, it
   * can open only Unix sockets. Returns false if the system cannot guarantee that.
   */
  denyCalls(needsNetwork: boolean): boolean;
  /**
   * Opens the 60 bytes of `sealed` with the data key in the slot, signs, verifies under `publicKey` and wipes the key. Returns
   * r, s and the recovery id, which is 255 if there is none. Every `merkleRoot`, even an empty `merkleRoot`, requests the tweak
   * of BIP341.
   */
  sign(
    slot: number,
    keyId: Buffer,
    sealed: Buffer,
    aad: Buffer,
    form: number,
    message: Buffer,
    publicKey: Buffer,
    merkleRoot: Buffer | undefined,
  ): Buffer;
}

const isFunction = (value: unknown) => typeof value === 'function';
const FUNCTIONS: Record<keyof Addon, z.ZodType> = {
  putKey: z.custom(isFunction),
  dropKey: z.custom(isFunction),
  rootIdOf: z.custom(isFunction),
  putRoot: z.custom(isFunction),
  wrap: z.custom(isFunction),
  unwrap: z.custom(isFunction),
  denyNewCode: z.custom(isFunction),
  denyCalls: z.custom(isFunction),
  sign: z.custom(isFunction),
};
const AddonShape = z.custom<Addon>((loaded) => z.object(FUNCTIONS).safeParse(loaded).success);

/** Throws a `StartError` if the file is missing or is not the addon. */
export function loadAddon(path: string): Addon {
  try {
    return AddonShape.parse(createRequire(__filename)(path));
  } catch (error) {
    const fault = error instanceof z.ZodError ? 'its exports differ' : String(error instanceof Error ? error.message : error);
    throw new StartError(
      `the native arithmetic cannot be loaded from ${path} (${fault.split('\n')[0]}). SIGNER_ARITHMETIC=portable signs without it, ` +
        'slower, and leaves copies of keys in memory.',
      { cause: error },
    );
  }
}
