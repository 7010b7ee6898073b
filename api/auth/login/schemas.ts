import { z } from 'zod';

export const Code = z.string().min(1).max(64).describe('As the user received it by mail; case, dashes and spaces do not matter');
