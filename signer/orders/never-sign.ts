import { z } from 'zod';
import { Id } from '../wire/schemas';

/** Makes the signer refuse this organisation's transfer or transaction for ever, unless it has signed for it before. */
export const WithdrawOrder = z.strictObject({ requestId: Id, orgId: Id });
export type WithdrawOrder = z.infer<typeof WithdrawOrder>;
/** False if a signature exists: only the chain can then end the transfer. True is sent once the promise is durable. */
export const Withdrawn = z.strictObject({ withdrawn: z.boolean() });
export type Withdrawn = z.infer<typeof Withdrawn>;
