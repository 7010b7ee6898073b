import { z } from 'zod';
import { FIATS } from '../domain/prices';

/** An amount of money in each currency. Operations of several areas return amounts in this form. */
export const Quotes = z.partialRecord(z.enum(FIATS), z.number().describe('In whole units of the currency'));
