import { z } from 'zod';
import { Id } from '../wire/schemas';

/** Makes the signer refuse this organisation's transfer or transaction for ever, unless it has signed for it before. */
export const WithdrawOrder = z.strictObject({ requestId: Id, orgId: Id });
export type WithdrawOrder = z.infer<typeof WithdrawOrder>;
/** False: a signature exists, so that only the chain can end it. True is sent once the promise is on the medium. */
export const Withdrawn = z.strictObject({ withdrawn: z.boolean() });
export type Withdrawn = z.infer<typeof Withdrawn>;
