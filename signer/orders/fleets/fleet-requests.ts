import type { z } from 'zod';
import { orderMessage } from '../order-message';
import {
  AssignedFleetKey,
  AssignFleetKeyOrder,
  RecordedFleet,
  RecordedProofs,
  RecordedSignatures,
  RecordFleetOrder,
  RecordProofsOrder,
  RecordSignaturesOrder,
  SealedFleetInput,
  SealFleetInputOrder,
} from './fleet-orders';
import { Vouched, VouchPayloadOrder, VouchSolanaOrder, VouchTransferOrder, VouchUtxoOrder } from './vouch-orders';

/** The orders about offline stores. */
export const FLEET_REQUESTS = [
  orderMessage('sealFleetInput', SealFleetInputOrder),
  orderMessage('recordFleet', RecordFleetOrder),
  orderMessage('recordProofs', RecordProofsOrder),
  orderMessage('assignFleetKey', AssignFleetKeyOrder),
  orderMessage('recordSignatures', RecordSignaturesOrder),
  orderMessage('vouchTransfer', VouchTransferOrder),
  orderMessage('vouchUtxo', VouchUtxoOrder),
  orderMessage('vouchSolana', VouchSolanaOrder),
  orderMessage('vouchPayload', VouchPayloadOrder),
] as const;

type FleetRequest = z.infer<(typeof FLEET_REQUESTS)[number]>;
export type FleetOp = FleetRequest['op'];
export type FleetOrders = { readonly [Asked in FleetRequest as Asked['op']]: Asked['order'] };
export const FLEET_OPS: readonly FleetOp[] = FLEET_REQUESTS.map(({ shape }) => shape.op.value);

export const FLEET_RESULTS = {
  sealFleetInput: SealedFleetInput,
  recordFleet: RecordedFleet,
  recordProofs: RecordedProofs,
  assignFleetKey: AssignedFleetKey,
  recordSignatures: RecordedSignatures,
  vouchTransfer: Vouched,
  vouchUtxo: Vouched,
  vouchSolana: Vouched,
  vouchPayload: Vouched,
} as const satisfies Readonly<Record<FleetOp, z.ZodType>>;

/** Refused as `MalformedOrder` by an older signer. */
export type FleetOperations = {
  readonly [Op in FleetOp]: (order: FleetOrders[Op]) => Promise<z.infer<(typeof FLEET_RESULTS)[Op]>>;
};
