import { decoderOf } from '../../../chains/decoders';
import { findNetwork, isFormOf } from '../../../chains/networks';
import { sha256Hex } from '../../../platform/digests';
import { controlProofMessage } from '../../../platform/fleets/control-proofs';
import type { FleetInput, FleetKey, ProofRequest, SignRequest } from '../../../platform/fleets/inputs';
import { isStated } from '../../../platform/fleets/statement';
import { Vouch } from '../../../platform/fleets/vouches';
import type { OfflineKey } from '../../record/fleets/fleet-entries';
import type { Fleets } from '../../record/fleets/fleets';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { canonicalJson } from './judge-input';

/** A key that the group will use. `network` is set only for a transaction. */
export type GroupUse = { readonly key: OfflineKey; readonly network?: string };

type Known = { readonly fleets: Pick<Fleets, 'pooled' | 'key'>; readonly signedBy: string };

/** Throws a `Refusal` unless this key of the store's pool has a key id. */
function assignedKey({ orgId, storeId }: FleetInput, key: FleetKey, { fleets }: Known): OfflineKey {
  const pooled = fleets.pooled(key);
  const isOfStore = pooled?.orgId === orgId && pooled.storeId === storeId && pooled.index === key.index;
  const assigned = isOfStore && pooled.keyId !== undefined ? fleets.key(pooled.keyId) : undefined;
  if (!assigned) throw new Refusal('KeyNotAssigned');
  return assigned;
}

/** Throws a `Refusal` unless this signer has vouched for exactly this order, for this group. */
function assertVouched(input: FleetInput, request: SignRequest, key: OfflineKey, { signedBy }: Known): string | undefined {
  const { vouch: text, signed } = request.vouched;
  const vouch = Vouch.safeParse(canonicalJson(text)).data;
  refuseUnless(vouch !== undefined && signed.by === signedBy && isStated('vouch', vouch, signed), 'FleetInputMismatch');
  const { orgId, storeId, groupId } = input;
  const isHere = vouch.orgId === orgId && vouch.storeId === storeId && vouch.groupId === groupId;
  const isThis = vouch.requestId === request.requestId && vouch.op === request.op && vouch.keyId === key.keyId;
  refuseUnless(isHere && isThis && vouch.publicKey === request.key.publicKey, 'FleetInputMismatch');
  const order = canonicalJson(request.order);
  refuseUnless(order !== undefined && sha256Hex(request.order) === vouch.orderDigest, 'FleetInputMismatch');
  const { network } = order as { readonly network?: unknown };
  return typeof network === 'string' ? network : undefined;
}

/**
 * Throws a `Refusal` unless the address is the address of the key, and the message is the message for this wallet in this group.
 * The device signs only bytes that no network can execute.
 */
function assertProof(input: FleetInput, request: ProofRequest, key: OfflineKey): void {
  const { network: name, address, message } = request;
  const network = findNetwork(name);
  if (!network) throw new Refusal('UnknownNetwork');
  refuseUnless(isFormOf(network, key), 'FleetInputMismatch');
  refuseUnless(decoderOf(network.name).addressOf(key.publicKeyHex) === address, 'FleetInputMismatch');
  refuseUnless(message === controlProofMessage(input, request), 'FleetInputMismatch');
}

const areDistinct = (ids: readonly string[]) => new Set(ids).size === ids.length;

/** The keys that the group will use; empty for a ceremony. Throws a `Refusal`. */
export function usesOf(input: FleetInput, known: Known): readonly GroupUse[] {
  const { task } = input;
  switch (task.kind) {
    case 'OnchainSign':
      refuseUnless(areDistinct(task.requests.map(({ requestId }) => requestId)), 'FleetInputMismatch');
      refuseUnless(areDistinct(task.requests.map(({ operationId }) => operationId)), 'FleetInputMismatch');
      return task.requests.map((request) => {
        const key = assignedKey(input, request.key, known);
        const network = assertVouched(input, request, key, known);
        return { key, ...(network === undefined ? {} : { network }) };
      });
    case 'ProofOfControl':
      refuseUnless(areDistinct(task.requests.map(({ walletId }) => walletId)), 'FleetInputMismatch');
      refuseUnless(areDistinct(task.requests.map(({ operationId }) => operationId)), 'FleetInputMismatch');
      return task.requests.map((request) => {
        const key = assignedKey(input, request.key, known);
        assertProof(input, request, key);
        return { key, network: request.network };
      });
    case 'Clone':
      for (const key of task.challenge) {
        const pooled = known.fleets.pooled(key);
        const isOfStore = pooled?.orgId === input.orgId && pooled.storeId === input.storeId && pooled.index === key.index;
        refuseUnless(isOfStore, 'FleetInputMismatch');
      }
      return [];
    case 'Genesis':
    case 'KeyHarvest':
    case 'AddProvisioner':
    case 'AddMacUser':
      return [];
  }
}
