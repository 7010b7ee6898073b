import { z } from 'zod';
import { decoderOf } from '../../../chains/decoders';
import { findNetwork, isFormOf } from '../../../chains/networks';
import { type AddressAttestation, attestationBytes, type SignedAttestation } from '../../../platform/address-attestation';
import { fingerprintOf } from '../../../platform/fingerprint';
import type { Attestor } from '../../record/attestor';
import type { Fleets } from '../../record/fleets/fleets';
import type { KeyLog } from '../../record/key-log';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { Id } from '../../wire/schemas';

/**
 * Requests the address of a key on a network. The order does not contain an address, because the signer computes the address
 * itself.
 */
export const AttestAddressOrder = z.strictObject({ orgId: Id, keyId: Id, network: z.string().min(1).max(64) });
export type AttestAddressOrder = z.infer<typeof AttestAddressOrder>;

type Parts = {
  readonly keys: Pick<KeyLog, 'find' | 'kinOf' | 'originOf' | 'isExported' | 'holderOf'>;
  readonly fleets: Pick<Fleets, 'key'>;
  readonly attestor: Attestor;
  readonly signerId: string;
  readonly nowMs: () => number;
};

/**
 * Attests the address that the signer itself computes from the key in its journal. Throws the `Refusal` `KeyRowMismatch` for a
 * key that neither the signer nor an offline store made for the organisation, and `UnknownNetwork` for a network that has no addresses for such keys.
 */
export function createAddressAttester({ keys, fleets, attestor, signerId, nowMs }: Parts) {
  return async ({ orgId, keyId, network: name }: AttestAddressOrder): Promise<SignedAttestation> => {
    const key = keys.find(keyId)?.sealed ?? fleets.key(keyId);
    if (!key || key.orgId !== orgId) throw new Refusal('KeyRowMismatch');
    const network = findNetwork(name);
    if (!network) throw new Refusal('UnknownNetwork');
    refuseUnless(isFormOf(network, key), 'UnknownNetwork');
    const { same, above } = keys.kinOf(key);
    const wasImported = [...same, ...above].some((id) => {
      const origin = keys.originOf(id);
      return origin !== undefined && 'importedBy' in origin;
    });
    const holder = keys.holderOf(key);
    const fingerprints = (holder?.credentials ?? []).map(({ publicKey }) => fingerprintOf(publicKey)).sort();
    const attestation: AddressAttestation = {
      v: 1,
      signerId,
      organizationId: orgId,
      keyId,
      network: network.name,
      address: decoderOf(network.name).addressOf(key.publicKeyHex),
      publicKey: key.publicKeyHex,
      isKnownOutside: wasImported || keys.isExported(key),
      dateAttested: new Date(nowMs()).toISOString(),
      ...(holder ? { holder: { userId: holder.userId, credentials: fingerprints } } : {}),
    };
    const text = JSON.stringify(attestation);
    return { attestation: text, signature: attestor.sign(attestationBytes(text)) };
  };
}
