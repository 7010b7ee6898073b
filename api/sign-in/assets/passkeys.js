import { toBase64Url, utf8 } from './bytes.js';

/** @type {{ startRegistration: Function, startAuthentication: Function }} */
const { startRegistration, startAuthentication } = /** @type {any} */ (globalThis).SimpleWebAuthnBrowser;

/** These texts replace the browsers' own messages, which differ and refer to specifications. */
const REFUSALS = new Map([
  [
    'NotAllowedError',
    'No passkey was used: the request was cancelled, timed out, or this device holds no passkey for it. Try again.',
  ],
  ['AbortError', 'The passkey request was interrupted. Try again.'],
  ['InvalidStateError', 'This device already holds a passkey of this account. Log in with it, or use another device.'],
  ['SecurityError', 'Passkeys do not work at this address. Open the page at the address that your administrator gave you.'],
  ['NotSupportedError', 'This browser or device does not support the required kind of passkey. Use another one.'],
  ['ConstraintError', 'This device cannot verify your identity. Set up a fingerprint, face or PIN on it, or use another one.'],
]);
const ANY_REFUSAL = 'The passkey could not be used. Try again, or use another device.';

/**
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {Promise<T>}
 */
async function inOwnWords(ask) {
  try {
    return await ask();
  } catch (error) {
    throw new Error(REFUSALS.get(error instanceof Error ? error.name : '') ?? ANY_REFUSAL, { cause: error });
  }
}

/**
 * Returns the passkey in the format that the API accepts.
 * @param {any} challenge
 * @param {string} name
 */
export async function createPasskey({ challenge, rp, user, pubKeyCredParams, authenticatorSelection, excludeCredentials }, name) {
  const optionsJSON = {
    challenge,
    rp,
    user: { ...user, id: toBase64Url(utf8(user.id)) },
    pubKeyCredParams,
    authenticatorSelection,
    excludeCredentials,
    attestation: 'none',
  };
  const { id, response } = await inOwnWords(() => startRegistration({ optionsJSON }));
  const credentialInfo = { credId: id, clientData: response.clientDataJSON, attestationData: response.attestationObject };
  return { credentialKind: 'Fido2', credentialInfo, credentialName: name };
}

/**
 * Signs a challenge with a passkey, which is the first factor.
 * @param {any} challenge
 */
export async function answerWithPasskey({ challenge, rp, allowCredentials, userVerification }) {
  const optionsJSON = { challenge, rpId: rp?.id, allowCredentials: allowCredentials.webauthn, userVerification };
  const { id, response } = await inOwnWords(() => startAuthentication({ optionsJSON }));
  return {
    kind: 'Fido2',
    credentialAssertion: {
      credId: id,
      clientData: response.clientDataJSON,
      authenticatorData: response.authenticatorData,
      signature: response.signature,
      ...(response.userHandle ? { userHandle: response.userHandle } : {}),
    },
  };
}
