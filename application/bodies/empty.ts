import { z } from 'zod';

/** The body of operations whose path says everything. */
export const EmptyBody = z.strictObject({}).optional();
