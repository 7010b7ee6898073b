import { z } from 'zod';
import { FIATS } from '../domain/prices';

export const Quotes = z.partialRecord(z.enum(FIATS), z.number().describe('In whole units of the currency'));
