import { during } from '../../../platform/points';
import type { CharterPeople } from '../../judging/people/people';
import type { ActiveFreezes } from '../../record/active-freezes';
import type { Attestor } from '../../record/attestor';
import type { Fleets } from '../../record/fleets/fleets';
import type { KeyLog } from '../../record/key-log';
import type { KeyStores } from '../../record/key-stores';
import type { SigningLog } from '../../record/signing-log';
import type { OnceOnly } from '../sign-once';
import { createFleetKeyAssigner } from './assign-fleet-key';
import type { FleetOp, FleetOperations } from './fleet-requests';
import { createFleetRecorder } from './record-fleet';
import { createProofRecorder } from './record-proofs';
import { createSignatureRecorder } from './record-signatures';
import { createInputSealer } from './seal-fleet-input';
import { createVoucher } from './vouch';

type Parts = {
  readonly signerId: string;
  readonly attestor: Attestor;
  readonly stores: KeyStores;
  readonly fleets: Fleets;
  readonly keyLog: KeyLog;
  readonly log: SigningLog;
  readonly freezes: ActiveFreezes;
  readonly people: CharterPeople;
  readonly onceOnly: OnceOnly;
  readonly nowMs: () => number;
};
type CarryOut<O, R> = (order: O) => Promise<R>;
type Guarded = <O, R>(carryOut: CarryOut<O, R>) => CarryOut<O, R>;

/** The orders about offline stores. Each order is a step. */
export function createFleetOperations(parts: Parts, guarded: Guarded): FleetOperations {
  const voucher = createVoucher(parts);
  const step = <O extends { readonly orgId: string }, R>(op: FleetOp, carryOut: CarryOut<O, R>): CarryOut<O, R> =>
    guarded((order: O) => during(op, { orgId: order.orgId }, () => carryOut(order)));
  return {
    sealFleetInput: step('sealFleetInput', createInputSealer(parts)),
    recordFleet: step('recordFleet', createFleetRecorder(parts)),
    recordProofs: step('recordProofs', createProofRecorder(parts)),
    assignFleetKey: step('assignFleetKey', createFleetKeyAssigner(parts)),
    recordSignatures: step('recordSignatures', createSignatureRecorder(parts)),
    vouchTransfer: step('vouchTransfer', voucher.vouchTransfer),
    vouchUtxo: step('vouchUtxo', voucher.vouchUtxo),
    vouchSolana: step('vouchSolana', voucher.vouchSolana),
    vouchPayload: step('vouchPayload', voucher.vouchPayload),
  };
}
