import { createHash } from 'node:crypto';
import type { FleetCurve } from '../../domain/fleets';
import { assertFleet, FleetFault } from './checks';
import { CONTROL_PROOF_PREFIX, controlProofBytes } from './control-proofs';
import { type FleetSignature, verifiedSignature } from './fleet-signatures';
import type { ProofRequest, SignRequest } from './inputs';
import type { FleetManifest } from './manifests';
import { type OutputFile, SignOutputJson } from './outputs';
import { assertBelongs, isSame, outputJsonIn, type ReceivedOutput } from './received-output';

type UseKind = 'OnchainSign' | 'ProofOfControl';
type Requests = { readonly OnchainSign: SignRequest; readonly ProofOfControl: ProofRequest };
type Answer = SignOutputJson['outputs'][string];
type Failure = { readonly message: string; readonly code: string };
type SignedBytes = { readonly signer_public_key: string; readonly exact_bytes_signed: string; readonly signature: string };

/** The messages that the device was asked to sign: digests on secp256k1, whole messages on Ed25519. */
export type MessagesOf = (requestId: string) => readonly Uint8Array[];
export type ReceivedSignatures = ReceivedOutput & { readonly messagesOf: MessagesOf };

/** `signatures` are in the order of the messages. An operation with `failure` was refused by the device. */
export type OperationResult<R> = { readonly operationId: string; readonly request: R } & (
  | { readonly signatures: readonly FleetSignature[] }
  | { readonly failure: Failure }
);
export type SignResult = {
  readonly status: SignOutputJson['status'];
  readonly operations: readonly OperationResult<SignRequest | ProofRequest>[];
  /** The operations that the output leaves out. */
  readonly unanswered: readonly string[];
};

function signatureOf(
  request: SignRequest | ProofRequest,
  signed: SignedBytes,
  message: Uint8Array,
  exactHex: string,
): FleetSignature {
  const { operationId, key } = request;
  assertFleet('SignerKey', signed.signer_public_key === key.publicKey, operationId);
  assertFleet('ExactBytes', signed.exact_bytes_signed === exactHex, operationId);
  const signature = verifiedSignature(key, message, signed.signature);
  if (signature === undefined) throw new FleetFault('Signature', operationId);
  return signature;
}

const PROOF_MESSAGES = {
  secp256k1: (bytes) => createHash('sha256').update(bytes).digest(),
  ed25519: (bytes) => bytes,
} as const satisfies Readonly<Record<FleetCurve, (bytes: Buffer) => Buffer>>;

type Read<K extends UseKind> = (
  request: Requests[K],
  answer: Answer,
  messagesOf: MessagesOf,
) => readonly FleetSignature[] | Failure;

const READ: { readonly [K in UseKind]: Read<K> } = {
  OnchainSign(request, answer, messagesOf) {
    assertFleet('Kind', answer.type === 'onchain-sign-v1', request.operationId);
    if ('fail' in answer.result) return answer.result.fail;
    const { success } = answer.result;
    const messages = messagesOf(request.requestId);
    assertFleet('Messages', Object.keys(success).length === messages.length && messages.length > 0, request.operationId);
    return messages.map((message, at) => {
      const signed = success[String(at)];
      if (signed === undefined) throw new FleetFault('Messages', request.operationId);
      return signatureOf(request, signed, message, Buffer.from(message).toString('hex'));
    });
  },
  ProofOfControl(request, answer) {
    assertFleet('Kind', answer.type === 'proof-of-control-v1', request.operationId);
    if ('fail' in answer.result) return answer.result.fail;
    const { success } = answer.result;
    const isAsked = success.prefix === CONTROL_PROOF_PREFIX && success.message === request.message;
    assertFleet('ExactBytes', isAsked, request.operationId);
    const bytes = controlProofBytes(request.message);
    return [signatureOf(request, success, PROOF_MESSAGES[request.key.curve](bytes), bytes.toString('hex'))];
  },
};

/** Every device of the fleet may sign, but a group that uses keys never changes the fleet. */
function assertUsesKeysOnly({ device, manifest, keys, boxes }: OutputFile, { devices }: FleetManifest): void {
  const known = devices.find(({ signingKey }) => signingKey === device.signingKey);
  assertFleet('DeviceIdentity', isSame(known, device));
  assertFleet('Excess', manifest === null && keys.length === 0 && boxes.length === 0);
}

function assertStatus({ status }: SignOutputJson, asked: number, signed: number): void {
  const some = signed === asked ? 'success' : 'partial';
  assertFleet('Status', status === (signed === 0 ? 'fail' : some));
}

async function assertOf<K extends UseKind>(
  kind: K,
  requests: readonly Requests[K][],
  received: ReceivedSignatures,
): Promise<SignResult> {
  const json = outputJsonIn(SignOutputJson, received.outputJson);
  const output = assertBelongs(received, json);
  if (received.head === null) throw new FleetFault('Head');
  assertUsesKeysOnly(output, received.head);
  const asked = new Map(requests.map((request) => [request.operationId, request]));
  const operations: OperationResult<Requests[K]>[] = [];
  for (const [operationId, answer] of Object.entries(json.outputs)) {
    const request = asked.get(operationId);
    if (request === undefined) throw new FleetFault('Operation', operationId);
    const read = READ[kind](request, answer, received.messagesOf);
    operations.push('code' in read ? { operationId, request, failure: read } : { operationId, request, signatures: read });
    // A signature takes about a millisecond, and other work of the process continues in between.
    await new Promise(setImmediate);
  }
  assertStatus(json, requests.length, operations.filter((one) => 'signatures' in one).length);
  const unanswered = [...asked.keys()].filter((id) => !Object.hasOwn(json.outputs, id));
  return { status: json.status, operations, unanswered };
}

/**
 * Verifies the output of a group that uses keys. Throws `FleetFault`, which names the first check that failed: one bad signature
 * refuses the whole output.
 */
export async function assertSignOutput(received: ReceivedSignatures): Promise<SignResult> {
  const { task } = received.input;
  if (task.kind === 'OnchainSign') return assertOf('OnchainSign', task.requests, received);
  if (task.kind === 'ProofOfControl') return assertOf('ProofOfControl', task.requests, received);
  throw new FleetFault('Kind');
}
