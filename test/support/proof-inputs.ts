import { controlProofMessage } from '../../platform/fleets/control-proofs';
import type { FleetInput, ProofRequest } from '../../platform/fleets/inputs';

export type AskedProof = Omit<ProofRequest, 'message'> & { readonly message?: string };

/** The input with a proof for each request. A request without a message gets the message of its wallet and group. */
export const withProofs = (input: FleetInput, requests: readonly AskedProof[]): FleetInput => ({
  ...input,
  task: {
    kind: 'ProofOfControl',
    requests: requests.map((request) => ({ message: controlProofMessage(input, request), ...request })),
  },
});
