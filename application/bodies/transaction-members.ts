import { z } from 'zod';

export const TransactionExternalId = z
  .string()
  .min(1)
  .max(50)
  .optional()
  .describe(
    'Makes the call idempotent; unique among the transactions of the organisation. The organisation can require it (setting `externalIdRequired`)',
  );
