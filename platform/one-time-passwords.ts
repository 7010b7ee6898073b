import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const WINDOW_STEPS = 1;
const SEED_BYTES = 20;

const totpOf = (seed: string, label = '', issuer = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(seed), period: PERIOD_SECONDS, digits: 6, algorithm: 'SHA1' });

export const newSeed = (): string => new Secret({ size: SEED_BYTES }).base32;

/** The `otpauth://` address that authenticator apps read as a QR code. */
export const seedUrl = (seed: string, label: string, issuer: string): string => totpOf(seed, label, issuer).toString();

/** The time step of a code, at most one step before or after the current step (RFC 6238 §5.2); undefined for a wrong code. */
export function stepOf(seed: string, code: string, nowMs: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(seed).validate({ token: code, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}
