import { z } from 'zod';

export const Requester = z
  .object({
    userId: z.string(),
    tokenId: z.string().optional().describe('The bearer token of the request'),
  })
  .meta({ id: 'Requester' });
