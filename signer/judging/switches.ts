import type { SignerSwitch } from '../../domain/signer-switches';
import { Refusal } from '../wire/refusal';

export type SwitchesOn = ReadonlySet<SignerSwitch>;

/** Throws the `Refusal` that names the switch if this signer's configuration leaves the switch off. */
export function assertSwitchedOn(on: SwitchesOn, needed: SignerSwitch): void {
  if (!on.has(needed)) throw new Refusal(`${needed}SwitchedOff`);
}
