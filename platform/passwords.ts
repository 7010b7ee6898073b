import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, two passes, parallelism one. The package's default algorithm is argon2id. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 512;

/** The argon2id hash as a PHC string (RFC 9106), computed outside the main thread. */
export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** Without a stored hash, the check takes the same time and returns false. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored ?? (await nobodysHash), password).catch(() => false);
  return stored !== undefined && fits;
}

/** Checked in place of a missing password, so that the time of the check does not show whether the user has a password. */
const nobodysHash = hashPassword('there is no such password');
