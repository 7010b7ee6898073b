import { z } from 'zod';

/** The body of operations whose path contains everything. */
export const EmptyBody = z.strictObject({}).optional();
