import { invariant } from '../../domain/errors';
import type { FleetCurve } from '../../domain/fleets';
import type { Reader } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { CONTROL_PROOF_PREFIX } from '../../platform/fleets/control-proofs';
import { SignedInput } from '../../platform/fleets/inputs';
import { SignOutputJson } from '../../platform/fleets/outputs';

type ControlProofView = {
  readonly operationId: string;
  readonly walletId: string;
  readonly network: string;
  readonly address: string;
  readonly curve: FleetCurve;
  readonly publicKey: string;
  readonly statement: string;
  readonly signature: string;
};

/** The proofs of an approved group, from the accepted output. Undefined for every other group. */
export async function proofsOf(
  reader: Reader,
  { id, kind, status, input: archive }: FleetGroupEntity,
): Promise<ControlProofView[] | undefined> {
  if (kind !== 'ProofOfControl' || status !== 'Approved') return undefined;
  const output = await fleetOutputStore.inState(reader, id, 'Accepted');
  invariant(output?.outputJson && archive, 'an approved group has an archive and an output');
  const { outputs } = SignOutputJson.parse(JSON.parse(output.outputJson));
  const { task } = SignedInput.parse(JSON.parse(archive)).input;
  invariant(task.kind === 'ProofOfControl', 'the archive is of the kind of its group');
  return task.requests.flatMap(({ operationId, walletId, network, address, key, message }) => {
    const answer = outputs[operationId];
    if (answer?.type !== 'proof-of-control-v1' || !('success' in answer.result)) return [];
    const { curve, publicKey } = key;
    const { signature } = answer.result.success;
    const statement = `${CONTROL_PROOF_PREFIX}${message}`;
    return [{ operationId, walletId, network, address, curve, publicKey, statement, signature }];
  });
}
