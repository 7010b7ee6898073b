import { sha256Hex } from '../../../platform/digests';
import { assertSignOutput } from '../../../platform/fleets/assert-sign-output';
import { FleetFault } from '../../../platform/fleets/checks';
import type { FleetInput } from '../../../platform/fleets/inputs';
import { assertTimely } from '../../judging/order-checks';
import type { Attestor } from '../../record/attestor';
import type { Fleets } from '../../record/fleets/fleets';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { RecordedProofs, RecordProofsOrder } from './fleet-orders';
import { outputJsonOf, sealedInputOf } from './received-texts';

type Parts = {
  readonly signerId: string;
  readonly attestor: Pick<Attestor, 'publicKeyHex'>;
  readonly fleets: Pick<Fleets, 'sealed' | 'head' | 'proven' | 'recordProven'>;
  readonly nowMs: () => number;
};

/**
 * Records the proofs of control that a device made. The signer verifies the whole output itself, so the journal has a proof only
 * of a key that its own record gives to the store. The same order gets the same reply.
 */
export function createProofRecorder({ signerId, attestor, fleets, nowMs }: Parts) {
  /** The wallets with a proof. Without messages, the output of a group that signs fails its verification. */
  const verified = async (input: FleetInput, { outputJson, file }: RecordProofsOrder): Promise<readonly string[]> => {
    const head = fleets.head(input.orgId, input.storeId)?.manifest ?? null;
    try {
      const received = { input, outputJson: outputJsonOf(outputJson), file, head, messagesOf: () => [] };
      const { operations } = await assertSignOutput(received);
      return operations.flatMap((one) => ('signatures' in one && 'walletId' in one.request ? [one.request.walletId] : []));
    } catch (error) {
      throw error instanceof FleetFault ? new Refusal('FleetOutputInvalid') : error;
    }
  };

  return async (order: RecordProofsOrder): Promise<RecordedProofs> => {
    assertTimely(order, nowMs());
    const { input, sealed } = sealedInputOf(order, { signerId, attestor, fleets });
    const { orgId, storeId, groupId } = input;
    const walletIds = await verified(input, order);
    refuseUnless(walletIds.length > 0, 'FleetOutputInvalid');
    const outputDigest = sha256Hex(order.file);
    const known = fleets.proven(input);
    refuseUnless(known === undefined || known.outputDigest === outputDigest, 'RequestIdReused');
    if (known) return {};
    await fleets.recordProven({ orgId, storeId, groupId, inputDigest: sealed.inputDigest, outputDigest, walletIds });
    return {};
  };
}
