import { createPrivateKey, sign } from 'node:crypto';
import { z } from 'zod';
import type { Identity } from '../../local/client';
import { challengeWith, NONCE_BYTES } from '../../platform/action-challenge';
import { sha256Hex } from '../../platform/digests';
import { VERIFIER_ORIGIN } from '../../platform/seen-assertions';

export type Reply = { readonly status: number; readonly body: unknown };
export type Method = 'POST' | 'PUT' | 'DELETE';

const REQUEST_TIMEOUT_MS = 60_000;
const Challenge = z.object({
  challenge: z.string(),
  challengeIdentifier: z.string(),
  commitment: z.looseObject({
    ...{ org: z.string(), user: z.string(), method: z.string(), path: z.string(), bodySha256: z.string() },
    approvalDigest: z.string().optional(),
  }),
});
const Action = z.object({ userAction: z.string() });

/** The person did not sign, because the challenge from the service did not match the request. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

/** Calls the API as a user. Returns every failure as a status, because an attack on the service might have caused the failure. */
export function callsAt(baseUrl: string, token?: string) {
  return async (method: string, path: string, text?: string, headers: Record<string, string> = {}): Promise<Reply> => {
    const content = text === undefined ? {} : { 'content-type': 'application/json' };
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        ...{ method, redirect: 'error', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) },
        headers: { ...content, ...bearer, ...headers },
        ...(text === undefined ? {} : { body: text }),
      });
      return { status: response.status, body: await response.json() };
    } catch (error) {
      return { status: 0, body: { error: { message: error instanceof Error ? error.message : 'unknown' } } };
    }
  };
}

/**
 * A person who signs in the same way as `strongroom-verify`: the person signs only a challenge that follows from the request,
 * and with the mark of a client that shows the signed content.
 */
export function createPerson(baseUrl: string, { orgId, userId, token, credId, privateKeyPem }: Named) {
  const privateKey = createPrivateKey(privateKeyPem);
  const call = callsAt(baseUrl, token);

  const userAction = async (method: Method, path: string, text: string, approvalDigest?: string): Promise<string | Reply> => {
    const announced = { userActionHttpMethod: method, userActionHttpPath: path, userActionPayload: text };
    const init = await call('POST', '/auth/action/init', JSON.stringify({ ...announced, userActionServerKind: 'Api' }));
    if (init.status !== 200) return init;
    const { challenge, challengeIdentifier, commitment } = Challenge.parse(init.body);
    const nonce = Buffer.from(challenge, 'base64url').subarray(0, NONCE_BYTES);
    const isShown = challengeWith(nonce, commitment as Parameters<typeof challengeWith>[1]) === challenge;
    const wanted = { org: orgId, user: userId, method, path, bodySha256: sha256Hex(text), approvalDigest };
    const isWanted = Object.entries(wanted).every(([name, value]) => commitment[name] === value);
    if (!isShown || !isWanted) throw new NotSigned(`the challenge is for ${JSON.stringify(commitment)}`);
    const seen = { origin: VERIFIER_ORIGIN, shownSha256: sha256Hex(text) };
    const clientData = Buffer.from(JSON.stringify({ type: 'key.get', challenge, ...seen }));
    const credentialAssertion = {
      credId,
      clientData: clientData.toString('base64url'),
      signature: sign(null, clientData, privateKey).toString('base64url'),
    };
    const signed = { challengeIdentifier, firstFactor: { kind: 'Key', credentialAssertion } };
    const answer = await call('POST', '/auth/action', JSON.stringify(signed));
    return answer.status === 200 ? Action.parse(answer.body).userAction : answer;
  };

  return {
    userId,
    get: (path: string): Promise<Reply> => call('GET', path),
    /** `approvalDigest` is the digest of the approval on which the person decides. Throws `NotSigned`. */
    change: async (method: Method, path: string, body: unknown, approvalDigest?: string): Promise<Reply> => {
      const text = JSON.stringify(body);
      const action = await userAction(method, path, text, approvalDigest);
      return typeof action === 'string' ? call(method, path, text, { 'x-svc-useraction': action }) : action;
    },
  };
}
type Named = Identity & { readonly orgId: string; readonly userId: string };
export type Person = ReturnType<typeof createPerson>;
