import { z } from 'zod';

/** A date in an answer. It was written by this service, so the document says what it is and nothing parses it once more. */
export const IsoDate = z.string().meta({ format: 'date-time' });
