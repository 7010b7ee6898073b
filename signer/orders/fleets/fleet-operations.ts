import type { CharterPeople } from '../../judging/people/people';
import type { ActiveFreezes } from '../../record/active-freezes';
import type { Attestor } from '../../record/attestor';
import type { Fleets } from '../../record/fleets/fleets';
import type { KeyLog } from '../../record/key-log';
import type { KeyStores } from '../../record/key-stores';
import type { SigningLog } from '../../record/signing-log';
import type { OnceOnly } from '../sign-once';
import { createFleetKeyAssigner } from './assign-fleet-key';
import type { FleetOperations } from './fleet-requests';
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
type Guarded = <O, R>(carryOut: (order: O) => Promise<R>) => (order: O) => Promise<R>;

/** The orders about offline stores. */
export function createFleetOperations(parts: Parts, guarded: Guarded): FleetOperations {
  const voucher = createVoucher(parts);
  return {
    sealFleetInput: guarded(createInputSealer(parts)),
    recordFleet: guarded(createFleetRecorder(parts)),
    recordProofs: guarded(createProofRecorder(parts)),
    assignFleetKey: guarded(createFleetKeyAssigner(parts)),
    recordSignatures: guarded(createSignatureRecorder(parts)),
    vouchTransfer: guarded(voucher.vouchTransfer),
    vouchUtxo: guarded(voucher.vouchUtxo),
    vouchSolana: guarded(voucher.vouchSolana),
    vouchPayload: guarded(voucher.vouchPayload),
  };
}
