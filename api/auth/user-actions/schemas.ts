import { z } from 'zod';

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
