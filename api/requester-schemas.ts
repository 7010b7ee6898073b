import { z } from 'zod';

/** The caller behind a transfer, transaction or signature request. */
export const Requester = z
  .object({
    userId: z.string(),
    tokenId: z.string().optional().describe('The bearer token of the request'),
  })
  .meta({ id: 'Requester' });
