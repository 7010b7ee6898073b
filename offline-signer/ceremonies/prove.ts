import { createHash } from 'node:crypto';
import { decoderOf } from '../../chains/decoders';
import { findNetwork } from '../../chains/networks';
import type { FleetCurve } from '../../domain/fleets';
import { CONTROL_PROOF_PREFIX, controlProofBytes, controlProofMessage } from '../../platform/fleets/control-proofs';
import type { FleetInput, ProofRequest } from '../../platform/fleets/inputs';
import type { FleetManifest } from '../../platform/fleets/manifests';
import { printable } from '../printable';
import { Refused } from '../refused';
import { publicKeyOf, signMessage } from '../secrets/fleet-keys';
import type { Files, Session } from '../session';
import type { Keys } from '../state/open-folder';
import { assertAgreed } from '../typed';
import { acceptInput } from './accept-input';
import { finishUse, type Uses } from './finish-use';
import { inputWords, labelled } from './input-words';

type ProofResult = Extract<Uses[string], { readonly type: 'proof-of-control-v1' }>['result'];

const MESSAGES: Readonly<Record<FleetCurve, (bytes: Buffer) => Buffer>> = {
  secp256k1: (bytes) => createHash('sha256').update(bytes).digest(),
  ed25519: (bytes) => bytes,
};

const failure = (code: string, message: string): ProofResult => ({ fail: { code, message } });

type Place = { readonly input: FleetInput; readonly manifest: FleetManifest };

/**
 * The address is derived on the device, so a proof never speaks for the address of another key. The message has only one form, so
 * no signer can have the device sign other words.
 */
function faultOf(request: ProofRequest, { input, manifest: { ranges } }: Place, publicKey: string): ProofResult | undefined {
  const { network, address, key, message } = request;
  if (key.index >= ranges[key.curve]) return failure('KeyUnknown', 'The fleet has not derived this key.');
  if (publicKey !== key.publicKey) return failure('KeyMismatch', 'The device derives another key at this index.');
  const known = findNetwork(network);
  if (known === undefined) return failure('NetworkUnknown', 'The device does not know the network.');
  if (decoderOf(known.name).addressOf(publicKey) !== address)
    return failure('AddressMismatch', 'The address does not belong to the key.');
  if (message !== controlProofMessage(input, request))
    return failure('MessageMismatch', 'The message is not the message for this wallet in this group.');
  return undefined;
}

function proofOf(request: ProofRequest, place: Place, { derive }: Keys): ProofResult {
  const { curve, index } = request.key;
  const secret = derive(curve, index);
  const publicKey = publicKeyOf(curve, secret);
  const fault = faultOf(request, place, publicKey);
  if (fault) return fault;
  const bytes = controlProofBytes(request.message);
  const signature = signMessage(curve, MESSAGES[curve](bytes), secret);
  const { message } = request;
  const signed = { signer_public_key: publicKey, exact_bytes_signed: bytes.toString('hex'), signature };
  return { success: { ...signed, prefix: CONTROL_PROOF_PREFIX, message } };
}

const requestWords = ({ walletId, network, address, message }: ProofRequest): readonly string[] => [
  '',
  labelled('Wallet', walletId),
  labelled('Address', `${printable(address)} on ${printable(network)}`),
  labelled('Message', `"${printable(message)}"`),
];

/** Proves that the fleet controls wallets, with signatures that no network takes for a transaction. */
export async function prove(session: Session, { input: text }: { readonly input: string }): Promise<Files> {
  const { open, screen } = session;
  const accepted = await acceptInput(session, text, { kind: 'ProofOfControl', serialOf: () => undefined });
  if ('again' in accepted) return accepted.again;
  const { input, task, digest, head } = accepted;
  if (head === null) throw new Refused('This device does not belong to a fleet yet.');
  screen.say([...inputWords(input, digest), ...task.requests.flatMap(requestWords)]);
  await assertAgreed(screen, `Prove the control of ${task.requests.length} wallets with these messages?`);
  const place = { input, manifest: head.manifest };
  const results = await open.withKeys((keys) =>
    task.requests.map((request) => [request.operationId, proofOf(request, place, keys)] as const),
  );
  const uses = results.map(([id, result]) => [id, { type: 'proof-of-control-v1' as const, result }] as const);
  return finishUse(session, accepted, Object.fromEntries(uses), () => []);
}
