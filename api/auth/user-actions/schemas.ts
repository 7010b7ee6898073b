import { z } from 'zod';
import { SigningChallenge } from '../schemas';

/** Beyond the contract: what the challenge commits to, so that whoever signs can compute it again (S2). */
export const ActionChallenge = SigningChallenge.extend({
  commitment: z
    .record(z.string(), z.unknown())
    .describe('The challenge is a nonce of 16 bytes and the SHA-256 of this as JSON with sorted members and no spaces'),
});

/** A request as it will be sent: an announced path with a query could never match, since the query is not bound. */
export const AnnouncedRequest = z.strictObject({
  userActionServerKind: z.literal('Api').optional(),
  userActionHttpMethod: z.enum(['POST', 'PUT', 'DELETE', 'GET']),
  userActionHttpPath: z
    .string()
    .max(2_048)
    .regex(/^\/[!-~]*$/, 'must be a percent-encoded path that begins with /')
    .regex(/^[^?#]*$/, 'must be the path alone, without query or fragment'),
  userActionPayload: z.string(),
});
