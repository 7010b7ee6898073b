import { z } from 'zod';

/** A date in a response. This service wrote it, so the format is documented but not parsed again. */
export const IsoDate = z.string().meta({ format: 'date-time' });
