import { type FleetInput, inputDigest } from '../../../platform/fleets/inputs';
import { isStated } from '../../../platform/fleets/statement';
import { parseStrictJson } from '../../../platform/strict-json';
import { assertOfGroup, readSignedInput } from '../../judging/fleets/judge-input';
import type { Attestor } from '../../record/attestor';
import type { SealedFleet } from '../../record/fleets/fleet-entries';
import type { Fleets } from '../../record/fleets/fleets';
import { Refusal, refuseUnless } from '../../wire/refusal';

type Parts = {
  readonly signerId: string;
  readonly attestor: Pick<Attestor, 'publicKeyHex'>;
  readonly fleets: Pick<Fleets, 'sealed'>;
};
type Order = { readonly requestId: string; readonly orgId: string; readonly input: string };

/** The input of the group that an output answers. Throws a `Refusal` unless this signer has sealed exactly this input. */
export function sealedInputOf(
  order: Order,
  { signerId, attestor, fleets }: Parts,
): { readonly input: FleetInput; readonly sealed: SealedFleet } {
  const { input, signed } = readSignedInput(order.input);
  assertOfGroup(input, order, signerId);
  const sealed = fleets.sealed(input);
  const isOurs = signed.by === attestor.publicKeyHex && isStated('input', input as never, signed);
  refuseUnless(isOurs && sealed !== undefined && sealed.inputDigest === inputDigest(input), 'FleetInputMismatch');
  return { input, sealed };
}

/** The JSON part of an output. Throws the `Refusal` `FleetOutputInvalid` unless strict parsers read one value. */
export function outputJsonOf(text: string): unknown {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  if (!json.ok) throw new Refusal('FleetOutputInvalid');
  return json.value;
}
