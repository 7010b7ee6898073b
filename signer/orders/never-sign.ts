import { z } from 'zod';
import { Id } from '../wire/schemas';

/** Makes the signer refuse this request for ever, unless a signature for it already exists. */
export const WithdrawOrder = z.strictObject({ requestId: Id, orgId: Id });
export type WithdrawOrder = z.infer<typeof WithdrawOrder>;
/**
 * `withdrawn` is false if a signature exists; then only the chain can end a transfer. `withdrawn` is true only after the
 * promise never to sign is on durable storage.
 */
export const Withdrawn = z.strictObject({ withdrawn: z.boolean() });
export type Withdrawn = z.infer<typeof Withdrawn>;
