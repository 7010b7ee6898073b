import { z } from 'zod';

/** This service wrote the date, so the schema documents the format but does not check the format. */
export const IsoDate = z.string().meta({ format: 'date-time' });
