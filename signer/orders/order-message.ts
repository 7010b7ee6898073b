import { z } from 'zod';

/** Only for the log. The signer neither signs nor judges this id, so a malformed id does not make the order fail. */
const ForRequest = z
  .string()
  .regex(/^[0-9A-Za-z-]{1,64}$/)
  .optional()
  .catch(undefined);

export const orderMessage = <Op extends string, Order extends z.ZodType>(op: Op, order: Order) =>
  z.strictObject({ id: z.int().nonnegative(), op: z.literal(op), requestId: ForRequest, order });
