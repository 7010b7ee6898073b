import { sha256Hex } from '../../../platform/digests';
import { verifiedSignature } from '../../../platform/fleets/fleet-signatures';
import type { OfflineKey } from '../../record/fleets/fleet-entries';
import type { Fleets } from '../../record/fleets/fleets';
import type { SigningLog } from '../../record/signing-log';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { RecordedSignatures, RecordSignaturesOrder } from './fleet-orders';

type Parts = { readonly fleets: Pick<Fleets, 'key'>; readonly log: Pick<SigningLog, 'vouched' | 'recordMade'> };

function isMade({ curve, publicKeyHex }: OfflineKey, messageHex: string, { r, s }: RecordSignaturesOrder['signatures'][number]) {
  if (curve === 'stark') return false;
  const message = Buffer.from(messageHex.slice(2), 'hex');
  const found = verifiedSignature({ curve, publicKey: publicKeyHex }, message, `${r.slice(2)}${s.slice(2)}`);
  return found?.r === r && found.s === s;
}

/**
 * Throws a `Refusal` unless the key of the vouch made each signature for its message of the vouch. A signature of any other key
 * or message stays unknown, and raises the alarm when it appears on a chain.
 */
export function createSignatureRecorder({ fleets, log }: Parts) {
  return async (order: RecordSignaturesOrder): Promise<RecordedSignatures> => {
    const { orgId, requestId, keyId, messages, signatures } = order;
    const [key, vouched] = [fleets.key(keyId), log.vouched({ orgId, requestId })];
    if (key?.orgId !== orgId || vouched?.keyId !== keyId) throw new Refusal('KeyNotAssigned');
    const isVouched = messages.map((hex) => sha256Hex(Buffer.from(hex.slice(2), 'hex'))).join() === vouched.messages.join();
    refuseUnless(isVouched, 'FleetOutputInvalid');
    refuseUnless(
      signatures.every((signature, at) => isMade(key, messages[at] ?? '', signature)),
      'FleetOutputInvalid',
    );
    await log.recordMade({ orgId, requestId, keyId, signatures });
    return {};
  };
}
