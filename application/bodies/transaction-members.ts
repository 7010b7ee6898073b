import { z } from 'zod';

export const TransactionExternalId = z.string().min(1).max(50).optional();
