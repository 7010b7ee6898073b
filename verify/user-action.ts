import { z } from 'zod';
import { ANCHOR_CHARS_MAX } from '../domain/anchors';
import { MINUTE_MS } from '../domain/durations';
import { plain } from '../operator/charters/plain';
import { challengeWith, NONCE_BYTES } from '../platform/action-challenge';
import { sha256Hex } from '../platform/digests';
import { hex, Id } from '../signer/wire/schemas';
import { assertVerified } from './not-verified';
import { jsonIn } from './read-file';

/** The service lets an action be signed and used within ten minutes, and clocks may differ. */
export const ACTION_LEFT_MS_MAX = 11 * MINUTE_MS;

const committed = {
  org: Id,
  user: Id,
  credentials: z.array(z.string()),
  method: z.string(),
  path: z.string().max(2_048),
  bodySha256: hex(32),
  expires: z.iso.datetime(),
  approvalDigest: hex(32).optional(),
};

/** The response of `createUserActionChallenge`. */
const Challenge = z.looseObject({
  challenge: z.string().regex(/^[A-Za-z0-9_-]{64}$/),
  challengeIdentifier: z.string().min(1).max(4_096),
  allowCredentials: z.looseObject({ key: z.array(z.looseObject({ id: z.string().min(1).max(1_400) })) }),
  commitment: z.discriminatedUnion('v', [
    z.looseObject({ ...committed, v: z.literal(1), anchor: z.never().optional() }),
    z.looseObject({ ...committed, v: z.literal(2), anchor: z.string().min(1).max(ANCHOR_CHARS_MAX) }),
  ]),
});
export type UserAction = z.infer<typeof Challenge>;

/** The announced action, whose challenge was recomputed for exactly this body. Throws `NotVerified`. */
export function userActionIn(path: string, body: string, now: Date): UserAction {
  const action = jsonIn(path, Challenge, 'the challenge of a user action');
  const { challenge, commitment } = action;
  const nonce = Buffer.from(challenge, 'base64url').subarray(0, NONCE_BYTES);
  assertVerified(
    challengeWith(nonce, commitment as Parameters<typeof challengeWith>[1]) === challenge,
    'The challenge does not follow from the request that the file shows: the service would have you sign SOMETHING ELSE.',
  );
  assertVerified(
    sha256Hex(body) === commitment.bodySha256,
    `The challenge is for another body than ${plain(body)}: the request was announced with other text.`,
  );
  const leftMs = Date.parse(commitment.expires) - now.getTime();
  assertVerified(leftMs > 0, `The challenge expired at ${commitment.expires}. Announce the request again.`);
  assertVerified(
    leftMs <= ACTION_LEFT_MS_MAX,
    `The challenge would stay valid until ${commitment.expires}, far longer than the service allows. Do not sign it.`,
  );
  return action;
}
