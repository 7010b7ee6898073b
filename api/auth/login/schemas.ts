import { z } from 'zod';

/** A one-time code as typed by a person. */
export const Code = z.string().min(1).max(64);
