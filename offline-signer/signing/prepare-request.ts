import { decoderOf } from '../../chains/decoders';
import { findNetwork } from '../../chains/networks';
import { sha256Hex } from '../../platform/digests';
import type { FleetInput, SignRequest } from '../../platform/fleets/inputs';
import type { Vouch } from '../../platform/fleets/vouches';
import { type AskedOrder, isPayload } from '../../signer/judging/people/asked-order';
import { Refusal } from '../../signer/wire/refusal';
import type { SigningDevice } from './device';
import { orderIn } from './device-order';
import { DeviceRefusal, refuseOnDeviceUnless } from './device-refusal';
import { judgeOrder } from './judge-order';
import type { JudgedRequest } from './judged-request';
import { judgePeopleOf } from './people';
import type { PageOf } from './request-words';
import { assertRules, type GroupSums } from './rules';
import { deviceScheme } from './sign-messages';
import { contentClaims } from './signed-before';
import { assertShared, replacementLines, requestClaim } from './take-claims';

/** A request that the device signs if the operator confirms it. */
export type PreparedRequest = PageOf & {
  readonly asked: AskedOrder;
  /** Everything that only this payload may use up on this device. */
  readonly claims: readonly string[];
};

/**
 * Throws a `DeviceRefusal` unless the device derives the key of the request at its index. The secret is wiped once `use` has
 * ended.
 */
export function withSecret<T>(
  { withKeys, manifest }: Pick<SigningDevice, 'withKeys' | 'manifest'>,
  { request: { key }, asked }: Pick<PreparedRequest, 'request' | 'asked'>,
  use: (secret: Buffer) => T,
): Promise<T> {
  // An index beyond the range belongs to no approved group.
  refuseOnDeviceUnless(key.index < manifest.ranges[key.curve], 'KeyMismatch');
  return withKeys(({ derive }) => {
    const secret = derive(key.curve, key.index);
    const { sealed } = asked.order;
    refuseOnDeviceUnless(deviceScheme(sealed).publicKeyHexOf(secret) === sealed.publicKeyHex, 'KeyMismatch');
    return use(secret);
  });
}

/** The bytes and the evidence are hostile text, so any error of a parser means that the order is not understood. */
function understood<T>(judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Refusal || error instanceof DeviceRefusal) throw error;
    throw new DeviceRefusal('OrderMalformed');
  }
}

function assertVouched({ signed, claims }: JudgedRequest, vouch: Vouch): void {
  const isSame = vouch.payloadDigest === signed.payloadDigest && claims.every((claim) => vouch.claims.includes(claim));
  refuseOnDeviceUnless(isSame && claims.length === vouch.claims.length, 'VouchMismatch');
}

/** The sender or, for a message of no network, the key. */
function senderOf(asked: AskedOrder, { network: name }: JudgedRequest): string {
  if (!isPayload(asked)) return asked.order.intent.from;
  const { publicKeyHex } = asked.order.sealed;
  const network = name === undefined ? undefined : findNetwork(name);
  return network ? decoderOf(network.name).addressOf(publicKeyHex) : publicKeyHex;
}

function claimsOf(asked: AskedOrder, { claims, signed }: JudgedRequest, ofPeople: readonly string[]): readonly string[] {
  const { orgId, requestId, intentId } = asked.order;
  // A caller chooses the intent's id, which may be long and contain spaces.
  const intents = intentId === undefined ? [] : [`intent ${orgId} ${sha256Hex(intentId)}`];
  // The request is kept first, so that a request whose claims are only kept in part is known to a replacement.
  return [requestClaim(orgId, requestId), ...claims, ...intents, ...ofPeople, ...contentClaims(asked, signed)];
}

/**
 * Reads the order, its bytes and its evidence without trust in the service, and applies the rules of the device. Returns the
 * request with the sums of the group. Throws a `Refusal` or a `DeviceRefusal`.
 */
export async function prepareRequest(
  request: SignRequest,
  input: FleetInput,
  device: SigningDevice,
  sums: GroupSums,
): Promise<{ readonly prepared: PreparedRequest; readonly sums: GroupSums }> {
  const { asked, vouch } = understood(() => orderIn(request, input, device.signerKey));
  await withSecret(device, { request, asked }, () => undefined);
  const { charter, rules, claims: kept } = device;
  const judged = understood(() => judgeOrder(asked));
  assertVouched(judged, vouch);
  const { signerId, storeId } = input;
  const authority = { charter, signerId, storeId, requireCharter: rules?.requireCharter === true, claims: kept };
  const people = understood(() => judgePeopleOf(asked, judged, authority));
  const claims = claimsOf(asked, judged, people.claims);
  const from = understood(() => senderOf(asked, judged));
  assertShared(judged, kept);
  const replaced = replacementLines(judged, kept);
  return {
    prepared: { request, asked, judged, claims, from, replaced, people: people.lines },
    sums: assertRules(rules, judged, sums),
  };
}
