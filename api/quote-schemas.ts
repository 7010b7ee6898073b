import { z } from 'zod';
import { FIATS } from '../domain/prices';

/** Money per currency, as several areas answer it. */
export const Quotes = z.partialRecord(z.enum(FIATS), z.number());
