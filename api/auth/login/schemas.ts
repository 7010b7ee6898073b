import { z } from 'zod';

/** A one-time code as typed by a person. */
export const Code = z.string().min(1).max(64).describe('As the user received it by mail; case, dashes and spaces do not matter');
