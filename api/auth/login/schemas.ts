import { z } from 'zod';

/** A one-time code as people type it. */
export const Code = z.string().min(1).max(64);
