import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { KeyForm } from '../../domain/keys';
import type { RequestedPayload } from '../../domain/signatures';
import { isOffChainMessage, SIGNER_SWITCHES, type SignerSwitch, SWITCHED } from '../../domain/signer-switches';
import type { Reader } from '../../entities/database';
import { signerSwitchStore } from '../../entities/deployment/signer-switch.store';

/** `field` is the member of the body that needs the switch. */
export function switchedOff(needed: SignerSwitch, field: string): AppError {
  const name = SIGNER_SWITCHES[needed];
  const message = `${SWITCHED[needed]} is off in this deployment: its operator has not set ${name} on the signer`;
  return fieldFault(`body.${field}`, message, { details: { switch: name } });
}

/** Throws `InvalidRequest` with the name of the switch unless the signer has reported that this switch is on. */
export async function assertSignerDoes(reader: Reader, needed: SignerSwitch, field: string): Promise<void> {
  if (!(await signerSwitchStore.on(reader)).has(needed)) throw switchedOff(needed, field);
}

/**
 * The switch that the signer needs for the payload; undefined if the signer needs no switch. The signer applies the same rule,
 * but does not use this code.
 */
export function switchFor({ scheme }: KeyForm, payload: RequestedPayload): SignerSwitch | undefined {
  switch (payload.kind) {
    case 'Hash':
      return 'Hash';
    case 'Message':
      return scheme === 'EdDSA' && !isOffChainMessage(payload.messageHex) ? 'Hash' : undefined;
    case 'Eip712':
      return hasChain(payload.typedData) ? undefined : 'ChainlessTypedData';
    case 'Eip191':
    case 'Eip7702':
    case 'EvmTransaction':
    case 'OpenEvmTransaction':
    case 'SolanaTransaction':
    case 'Psbt':
    case 'Bip322':
    case 'SvcSmartAccountTransaction':
      return undefined;
  }
}

const hasChain = (typedData: string): boolean =>
  (JSON.parse(typedData) as { domain: Readonly<Record<string, unknown>> }).domain['chainId'] !== undefined;
