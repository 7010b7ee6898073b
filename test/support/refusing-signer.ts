import { FAMILY_OPS } from '../../signer/orders/families';
import type { FamilyOp, SignerClient } from '../../signer/protocol';

const refusing = FAMILY_OPS.map((op) => [op, () => Promise.reject(new Error(`${op} is not asked for here`))]);

/** Refuses the orders of every family. A test replaces the orders that its story needs. */
export const REFUSING_SIGNER: Pick<SignerClient, FamilyOp> = Object.assign(Object.create(null), Object.fromEntries(refusing));
