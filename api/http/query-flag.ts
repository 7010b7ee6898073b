import { z } from 'zod';

/** Defaults to false. */
export const QueryFlag = z
  .string()
  .refine((text) => text === 'true' || text === 'false', 'must be true or false')
  .transform((text) => text === 'true')
  .default(false)
  .meta({ type: 'boolean', default: false });
