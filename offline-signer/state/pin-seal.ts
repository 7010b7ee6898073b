import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { z } from 'zod';
import { canonical } from '../../platform/canonical';
import { Refused } from '../refused';

/** scrypt (RFC 7914) with 128 MiB. argon2id would need a native library, which the one file of the program cannot contain. */
export const PIN_COST = { N: 2 ** 17, r: 8, p: 1 } as const;
export type PinCost = { readonly N: number; readonly r: number; readonly p: number };
/** Random digits of this length withstand a thief who copies the disk, at the cost above. The program cannot limit the tries. */
export const PIN_CHARS_MIN = 16;

const [SALT_BYTES, KEY_BYTES, IV_BYTES, TAG_BYTES] = [16, 32, 12, 16] as const;
const SCRYPT_BYTES_PER_UNIT = 128;

const Header = z.strictObject({
  v: z.literal(1),
  kdf: z.literal('scrypt'),
  N: z
    .int()
    .min(2)
    .max(2 ** 20),
  r: z.int().min(1).max(16),
  p: z.int().min(1).max(4),
  salt: z.base64().length(24),
});
export const SealedState = z.strictObject({ header: Header, sealed: z.base64() });
type SealedState = z.infer<typeof SealedState>;

/** Seals under a key that only the PIN gives. The key of a state is derived once for each run of the program. */
export type PinKey = { readonly header: SealedState['header']; readonly key: Buffer };

function derived(pin: string, header: SealedState['header']): PinKey {
  const { N, r, p, salt } = header;
  // Node refuses to use more than 32 MiB unless the limit is raised.
  const maxmem = 2 * SCRYPT_BYTES_PER_UNIT * N * r * p;
  return { header, key: scryptSync(pin.normalize('NFKC'), Buffer.from(salt, 'base64'), KEY_BYTES, { N, r, p, maxmem }) };
}

export function createPinKey(pin: string, cost: PinCost = PIN_COST): PinKey {
  if (pin.length < PIN_CHARS_MIN) throw new Refused(`A PIN has at least ${PIN_CHARS_MIN} characters.`);
  return derived(pin, { v: 1, kdf: 'scrypt', ...cost, salt: randomBytes(SALT_BYTES).toString('base64') });
}

export function sealState({ header, key }: PinKey, plain: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(canonical(header), 'utf8'));
  const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return canonical({ header, sealed: sealed.toString('base64') });
}

/** Throws `Refused` for a wrong PIN and for a changed text; the two cannot be distinguished. */
export function unsealState({ header, sealed }: SealedState, pin: string): { readonly pinKey: PinKey; readonly plain: string } {
  const pinKey = derived(pin, header);
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', pinKey.key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(canonical(header), 'utf8'));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return { pinKey, plain: plain.toString('utf8') };
  } catch {
    throw new Refused('The PIN is wrong, or the state of this folder was changed.');
  }
}
