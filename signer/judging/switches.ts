import type { SignerSwitch } from '../../domain/signer-switches';
import { Refusal } from '../wire/refusal';

export type SwitchesOn = ReadonlySet<SignerSwitch>;

export function assertSwitchedOn(on: SwitchesOn, needed: SignerSwitch): void {
  if (!on.has(needed)) throw new Refusal(`${needed}SwitchedOff`);
}
