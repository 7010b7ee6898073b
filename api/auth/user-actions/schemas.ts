import { z } from 'zod';
import { SigningChallenge } from '../schemas';

/**
 * `commitment` and `seen` are not in the published interface. The signing client needs `commitment` to recompute the challenge
 * (S2), and `seen` to choose where to sign.
 */
export const ActionChallenge = SigningChallenge.extend({
  commitment: z
    .record(z.string(), z.unknown())
    .describe(
      'The challenge is a nonce of 16 bytes followed by the SHA-256 of this object as JSON with sorted members and no spaces',
    ),
  seen: z
    .object({
      origins: z
        .array(z.string())
        .readonly()
        .describe('Pages on which a passkey may sign; a key pair may sign only in `strongroom-verify`'),
    })
    .exactOptional()
    .describe(
      'Present if the charter of the organisation requires that people see the content that they sign with this operation: a ' +
        'request or an approving vote that was signed anywhere else is refused with `UserActionNotSeen` (403)',
    ),
}).meta({ id: 'UserActionChallenge' });

/**
 * The request that the user action will authorise. The path must have no query, because a user action does not cover the query.
 */
export const AnnouncedRequest = z.strictObject({
  userActionServerKind: z.literal('Api').optional().describe('Has no effect'),
  userActionHttpMethod: z.enum(['POST', 'PUT', 'DELETE', 'GET']).describe('Method of the request to be authorised'),
  userActionHttpPath: z
    .string()
    .max(2_048)
    .regex(/^\/[!-~]*$/, 'must be a percent-encoded path that begins with /')
    .regex(/^[^?#]*$/, 'must be the path alone, without query or fragment')
    .describe('Path of the request to be authorised, percent-encoded exactly as it will be sent'),
  userActionPayload: z
    .string()
    .describe(
      'Body of the request to be authorised, character by character as it will be sent; empty for a request without a body',
    ),
});
