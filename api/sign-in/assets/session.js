import { fromBase64Url, sha256Hex, toHex } from './bytes.js';
import { call } from './calls.js';
import { canonical } from './canonical.js';
import { answerWithPasskey } from './passkeys.js';

const NONCE_BYTES = 16;

/**
 * The session is kept in memory only: a reload of the page signs the user out, and no other page can read the token.
 * @type {{ token: string, orgId: string, userId: string } | undefined}
 */
let current;

export const session = () => current;

/**
 * Begins the session of a bearer token on this page.
 * @param {string} token
 */
export function open(token) {
  const claims = JSON.parse(new TextDecoder().decode(fromBase64Url(token.split('.')[1] ?? '')));
  current = { token, userId: claims.sub, orgId: claims['https://custom/app_metadata'].orgId };
}

/** Removes the session from this page. The session at the service stays open. */
export function close() {
  current = undefined;
}

function signedIn() {
  if (!current) throw new Error('Log in first.');
  return current;
}

/** @param {string} path */
export const read = (path) => call('GET', path, { bearer: signedIn().token });

/**
 * Checks, before the passkey signs, that the commitment has the expected values and that the challenge covers the commitment.
 * So the passkey can sign only this request. For a decision, the challenge also covers exactly this approval.
 * @param {'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path
 * @param {string} body
 * @param {string} [approvalDigest]
 */
async function signed(method, path, body, approvalDigest) {
  const { token: bearer, orgId, userId } = signedIn();
  const announced = { userActionHttpMethod: method, userActionHttpPath: path, userActionPayload: body };
  const challenge = await call('POST', '/auth/action/init', { bearer, body: JSON.stringify(announced) });
  await assertCommits(challenge, {
    org: orgId,
    user: userId,
    method,
    path,
    bodySha256: await sha256Hex(body),
    approvalDigest,
  });
  const firstFactor = await answerWithPasskey(challenge);
  const answer = JSON.stringify({ challengeIdentifier: challenge.challengeIdentifier, firstFactor });
  const { userAction } = await call('POST', '/auth/action', { bearer, body: answer });
  return { bearer, userAction };
}

/**
 * @param {'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path
 * @param {object} fields
 * @param {string} [approvalDigest]
 */
export async function change(method, path, fields, approvalDigest) {
  const body = JSON.stringify(fields);
  return call(method, path, { body, ...(await signed(method, path, body, approvalDigest)) });
}

/**
 * The passkey signs the text of the part `data`, which must contain the checksum of the file.
 * @param {string} path
 * @param {{ fileChecksum: string }} fields
 * @param {File} file
 */
export async function changeWithFile(path, fields, file) {
  const data = JSON.stringify(fields);
  const parts = await signed('POST', path, data);
  const form = new FormData();
  form.append('data', data);
  form.append('file', file);
  return call('POST', path, { form, ...parts });
}

/**
 * Throws unless the challenge commits to the expected values.
 * @param {{ challenge: string, commitment: Record<string, unknown> }} challenge
 * @param {Record<string, unknown>} wanted
 */
async function assertCommits({ challenge, commitment }, wanted) {
  for (const [name, value] of Object.entries(wanted)) {
    if (commitment[name] !== value) throw new Error(`The challenge is for another request (${name}). Nothing was signed.`);
  }
  const digest = toHex(fromBase64Url(challenge).slice(NONCE_BYTES));
  if (digest !== (await sha256Hex(canonical(commitment)))) {
    throw new Error('The challenge does not match its stated commitment. Nothing was signed.');
  }
}
