import { z } from 'zod';
import { Id } from '../wire/schemas';

/** Makes the signer refuse this request of the organisation for ever, unless it has already signed for the request. */
export const WithdrawOrder = z.strictObject({ requestId: Id, orgId: Id });
export type WithdrawOrder = z.infer<typeof WithdrawOrder>;
/** False if a signature exists, because only the chain can then end a transfer. True is sent once the promise is durable. */
export const Withdrawn = z.strictObject({ withdrawn: z.boolean() });
export type Withdrawn = z.infer<typeof Withdrawn>;
