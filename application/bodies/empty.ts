import { z } from 'zod';

/** The body of operations that take all their input from the path. */
export const EmptyBody = z.strictObject({}).optional();
