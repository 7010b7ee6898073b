import type { z } from 'zod';
import type { Family } from '../../domain/networks';
import { orderMessage } from './order-message';
import { SignSolanaOrder, SignSponsoredOrder, SignTransferOrder, SignUtxoOrder } from './transfer-orders';

const FAMILIES = {
  evm: [orderMessage('signTransfer', SignTransferOrder), orderMessage('signSponsored', SignSponsoredOrder)],
  utxo: [orderMessage('signUtxo', SignUtxoOrder)],
  solana: [orderMessage('signSolana', SignSolanaOrder)],
} as const satisfies Readonly<Record<Family, readonly z.ZodObject[]>>;

type FamilyAsking = (typeof FAMILIES)[keyof typeof FAMILIES][number];
export const FAMILY_REQUESTS: readonly FamilyAsking[] = Object.values(FAMILIES).flat();
export const FAMILY_OPS = FAMILY_REQUESTS.map(({ shape }) => shape.op.value);

type FamilyRequest = z.infer<FamilyAsking>;
export type FamilyOp = FamilyRequest['op'];
export type FamilyOrders = { readonly [Asked in FamilyRequest as Asked['op']]: Asked['order'] };
