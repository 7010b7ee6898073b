import { z } from 'zod';
import { FIATS } from '../domain/prices';

/** Money per currency, as returned by several areas. */
export const Quotes = z.partialRecord(z.enum(FIATS), z.number().describe('In whole units of the currency'));
