import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { deriveKey } from './secret-box';

export type Decoy = { readonly kind: 'Fido2' | 'Key'; readonly credentialId: string };

/** A login for an unknown username shows decoys. The same username always gets the same decoys, whatever its letter case. */
export type Decoys = (orgId: string, username: string) => readonly Decoy[];

/** Credential id lengths of common authenticators. */
const PASSKEY_ID_BYTES = [16, 20, 32, 48, 64] as const;
const KEY_ID_BYTES = 32;
/**
 * Pairs of numbers: how many passkeys and how many keys a person may have. A common pair is listed several times, because one
 * pair is drawn at random.
 */
const HOLDINGS = [
  [1, 0],
  [1, 0],
  [1, 0],
  [2, 0],
  [2, 0],
  [3, 0],
  [0, 1],
  [0, 1],
  [1, 1],
  [0, 0],
] as const;

/**
 * Decoys are derived from the data key. Outsiders therefore cannot distinguish decoys from real credentials, and every API
 * process shows the same decoys.
 */
export function createDecoys(dataKey: Uint8Array): Decoys {
  const key = deriveKey(dataKey, 'decoys');
  return (orgId, username) => {
    const drawn = (what: string) =>
      createHmac('sha512', key)
        .update(JSON.stringify([orgId, username.toLowerCase(), what]))
        .digest();
    const pick = <T>(from: readonly T[], what: string) => from[drawn(what).readUInt32BE() % from.length] as T;
    const [passkeys, keys] = pick(HOLDINGS, 'holdings');
    const decoy = (kind: Decoy['kind'], index: number): Decoy => {
      const bytes = kind === 'Key' ? KEY_ID_BYTES : pick(PASSKEY_ID_BYTES, `length ${index}`);
      return { kind, credentialId: drawn(`${kind} ${index}`).subarray(0, bytes).toString('base64url') };
    };
    const some = (kind: Decoy['kind'], count: number) => Array.from({ length: count }, (_, index) => decoy(kind, index));
    return [...some('Fido2', passkeys), ...some('Key', keys)];
  };
}

/**
 * Public keys in the form of stored credentials. Verifying a signature then takes as long for an unknown user as for a known
 * user.
 */
export const NOBODYS_KEYS = (() => {
  const ofKey = generateKeyPairSync('ed25519').publicKey;
  const ofPasskey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  return { Key: ofKey.export({ format: 'pem', type: 'spki' }).toString(), Fido2: es256(ofPasskey) } as const;
})();

/** COSE_Key of an ES256 key (RFC 9053 §7.1.1), base64url. */
function es256(key: KeyObject): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const header = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
  const parts = [header, Buffer.from(x, 'base64url'), Buffer.from([0x22, 0x58, 0x20]), Buffer.from(y, 'base64url')];
  return Buffer.concat(parts).toString('base64url');
}
