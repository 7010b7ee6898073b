import type { z } from 'zod';
import type { FamilyOrders } from '../orders/families';
import type { DekRow, SealedKeyRow } from '../orders/key-rows';
import type { PayloadOrder } from '../orders/transfer-orders';

/** The key of an order as far as the judgement needs it. A key of an offline store has no more than this. */
export type KeyOfOrder = Pick<SealedKeyRow, 'orgId' | 'keyId' | 'scheme' | 'curve' | 'publicKeyHex'>;

type Sealed = { readonly sealed: SealedKeyRow; readonly dek: DekRow };
type Judged<Order extends Sealed> = Omit<Order, keyof Sealed> & { readonly sealed: KeyOfOrder; readonly dek?: DekRow };

type Orders = FamilyOrders & { readonly signPayload: z.infer<typeof PayloadOrder> };
/** The orders for signatures in the form in which they are judged, whether the signer or an offline device will sign. */
export type JudgedOrders = { readonly [Op in keyof Orders]: Judged<Orders[Op]> };
export type JudgedOp = keyof JudgedOrders;

/** Whether an offline device will sign. The signer itself needs the rows of the key. */
export const isForDevice = ({ dek }: { readonly dek?: DekRow }): boolean => dek === undefined;
