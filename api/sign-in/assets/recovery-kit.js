import { fromBase64Url, sha256Hex, toBase64Url, toHex, utf8 } from './bytes.js';

const CODE_BYTES = 20;
const ID_BYTES = 16;
const IV_BYTES = 12;
const PEM_LINE = 64;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** @param {string} code */
const normal = (code) => code.toUpperCase().replace(/[^0-9A-Z]/g, '');

/** 160 random bits, in groups of four characters, which a person can write down. */
function newCode() {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_BYTES));
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
  return (letters.match(/.{4}/g) ?? []).join('-');
}

/**
 * The key is derived without stretching, because a random code of 160 bits cannot be guessed.
 * @param {string} code
 * @param {string} credId
 */
async function wrappingKey(code, credId) {
  const secret = await crypto.subtle.importKey('raw', utf8(normal(code)), 'HKDF', false, ['deriveKey']);
  const parameters = { name: 'HKDF', hash: 'SHA-256', salt: utf8(credId), info: utf8('strongroom/recovery-kit/v1') };
  return crypto.subtle.deriveKey(parameters, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** @param {ArrayBuffer} spki */
function pemOf(spki) {
  const text = btoa(String.fromCharCode(...new Uint8Array(spki)));
  const lines = text.match(new RegExp(`.{1,${PEM_LINE}}`, 'g')) ?? [];
  return `-----BEGIN PUBLIC KEY-----\n${lines.join('\n')}\n-----END PUBLIC KEY-----\n`;
}

/**
 * The service stores the private key encrypted under a code that only the person has.
 * @param {string} challenge of the registration or the recovery
 */
export async function createRecoveryKit(challenge) {
  const pair = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']));
  const credId = toBase64Url(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  const code = newCode();
  const publicKey = pemOf(await crypto.subtle.exportKey('spki', pair.publicKey));
  const clientData = JSON.stringify({ challenge, crossOrigin: false, origin: location.origin, type: 'key.create' });
  const fingerprint = JSON.stringify({ clientDataHash: await sha256Hex(clientData), publicKey });
  const signature = toHex(await crypto.subtle.sign('Ed25519', pair.privateKey, utf8(fingerprint)));
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = await crypto.subtle.exportKey('pkcs8', pair.privateKey);
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await wrappingKey(code, credId), plain);
  const credential = {
    credentialKind: 'RecoveryKey',
    credentialName: 'Recovery kit',
    credentialInfo: {
      credId,
      clientData: toBase64Url(utf8(clientData)),
      attestationData: toBase64Url(utf8(JSON.stringify({ publicKey, signature }))),
    },
    encryptedPrivateKey: toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)])),
  };
  return { credential, text: `${credId}\n${code}` };
}

/** @param {string} text as shown: the ID of the key, then the code */
export function readRecoveryKit(text) {
  const [credId = '', ...rest] = text.trim().split(/\s+/);
  return { credId, code: rest.join('') };
}

/**
 * The caller must send `newCredentials` unchanged, because the challenge is the exact JSON of the new credentials.
 * @param {{ credId: string, code: string }} kit
 * @param {string} encrypted
 * @param {object} newCredentials
 */
export async function signRecovery({ credId, code }, encrypted, newCredentials) {
  const bytes = fromBase64Url(encrypted);
  const algorithm = { name: 'AES-GCM', iv: bytes.slice(0, IV_BYTES) };
  const plain = await crypto.subtle
    .decrypt(algorithm, await wrappingKey(code, credId), bytes.slice(IV_BYTES))
    .catch(() => Promise.reject(new Error('The recovery kit does not fit.')));
  const key = await crypto.subtle.importKey('pkcs8', plain, 'Ed25519', false, ['sign']);
  const challenge = toBase64Url(utf8(JSON.stringify(newCredentials)));
  const clientData = JSON.stringify({ type: 'key.get', challenge, origin: location.origin, crossOrigin: false });
  const signature = toBase64Url(await crypto.subtle.sign('Ed25519', key, utf8(clientData)));
  const credentialAssertion = { credId, clientData: toBase64Url(utf8(clientData)), signature };
  return { kind: 'RecoveryKey', credentialAssertion };
}
