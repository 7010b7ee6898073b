import { type KeyObject, sign } from 'node:crypto';
import { z } from 'zod';
import type { callsAt } from '../person';

const Begun = z.object({ challenge: z.string(), challengeIdentifier: z.string() });
const SignedIn = z.object({ token: z.string() });
type Login = { readonly orgId: string; readonly username: string; readonly credId: string; readonly privateKey: KeyObject };

/** Logs the person in and returns the session's token; undefined if the service refuses the login. */
export async function signedLogin(call: ReturnType<typeof callsAt>, { orgId, username, credId, privateKey }: Login) {
  const begun = Begun.safeParse((await call('POST', '/auth/login/init', JSON.stringify({ orgId, username }))).body).data;
  if (!begun) return undefined;
  const { challenge, challengeIdentifier } = begun;
  const clientData = Buffer.from(JSON.stringify({ type: 'key.get', challenge }));
  const signature = sign(null, clientData, privateKey).toString('base64url');
  const credentialAssertion = { credId, clientData: clientData.toString('base64url'), signature };
  const answer = { challengeIdentifier, firstFactor: { kind: 'Key', credentialAssertion } };
  return SignedIn.safeParse((await call('POST', '/auth/login', JSON.stringify(answer))).body).data?.token;
}
