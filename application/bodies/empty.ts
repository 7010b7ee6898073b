import { z } from 'zod';

/** Of operations whose path says it all. */
export const EmptyBody = z.strictObject({}).optional();
