import { toBase64Url, utf8 } from './bytes.js';

/** @type {{ startRegistration: Function, startAuthentication: Function }} */
const { startRegistration, startAuthentication } = /** @type {any} */ (globalThis).SimpleWebAuthnBrowser;

/**
 * Makes a passkey for a registration, a recovery or a further credential; answers it as the interface takes it.
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
  const { id, response } = await startRegistration({ optionsJSON });
  const credentialInfo = { credId: id, clientData: response.clientDataJSON, attestationData: response.attestationObject };
  return { credentialKind: 'Fido2', credentialInfo, credentialName: name };
}

/**
 * Answers a signing challenge with a passkey, as a first factor.
 * @param {any} challenge
 */
export async function answerWithPasskey({ challenge, rp, allowCredentials, userVerification }) {
  const optionsJSON = { challenge, rpId: rp?.id, allowCredentials: allowCredentials.webauthn, userVerification };
  const { id, response } = await startAuthentication({ optionsJSON });
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
