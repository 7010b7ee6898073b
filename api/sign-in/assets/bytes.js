const encoder = new TextEncoder();

/** @param {string} text */
export const utf8 = (text) => /** @type {Uint8Array<ArrayBuffer>} */ (encoder.encode(text));

/** @param {Uint8Array | ArrayBuffer} bytes */
export function toBase64Url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} text */
export function fromBase64Url(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** @param {Uint8Array | ArrayBuffer} bytes */
export const toHex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Returns the SHA-256 of a text as lower-case hex.
 * @param {string} text
 */
export const sha256Hex = async (text) => toHex(await crypto.subtle.digest('SHA-256', utf8(text)));
