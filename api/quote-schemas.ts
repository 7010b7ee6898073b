import { z } from 'zod';
import { FIATS } from '../domain/prices';

/** An amount of money per currency, as several areas return it. */
export const Quotes = z.partialRecord(z.enum(FIATS), z.number().describe('In whole units of the currency'));
