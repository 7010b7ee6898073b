import { z } from 'zod';
import { Id } from '../wire/schemas';

/** Makes the signer refuse this request for ever, unless a signature for the request already exists. */
export const WithdrawOrder = z.strictObject({ requestId: Id, orgId: Id });
export type WithdrawOrder = z.infer<typeof WithdrawOrder>;
/**
 * False if a signature exists. In this case only the chain can end a transfer. True only after the promise never to sign is on
 * durable storage.
 */
export const Withdrawn = z.strictObject({ withdrawn: z.boolean() });
export type Withdrawn = z.infer<typeof Withdrawn>;
