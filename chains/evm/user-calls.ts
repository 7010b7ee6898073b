import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { UserCall } from '../../domain/transactions';
import { termsOf } from './parse-transaction';
import type { EvmNetwork, UserCallInput } from './types';
import { ENTRY_POINT } from './user-operations';

/**
 * The maximum total size in bytes of all calls. With this limit an order to the signer stays well below the size limit of orders.
 */
const CALLS_BYTES_MAX = 16 * 1024;
/** The maximum size in bytes of a call without its data, padding included. */
const CALL_BYTES = 192;

const refused = (path: string, message: string): AppError => fieldFault(path, message);

/** Throws `InvalidRequest` with the path below `at` for an invalid call, and for a call that could hide other calls. */
export function userCallsOf(
  network: EvmNetwork,
  inputs: readonly UserCallInput[],
  from: string,
  at: string,
): readonly UserCall[] {
  let bytes = 0;
  return inputs.map(({ to: target, value = '0', data = '0x' }, index) => {
    const { to, valueUnits, dataHex } = termsOf(network, { to: target, value, data }, from, `${at}.${index}`).call;
    // Functions of the account can make further calls, and functions of the entry point can use up other nonces. No policy
    // would see these effects.
    if (dataHex !== '0x' && (to === from || to === ENTRY_POINT))
      throw refused(`${at}.${index}.data`, 'must be empty for the wallet itself and for the entry point');
    bytes += CALL_BYTES + dataHex.length / 2;
    if (bytes > CALLS_BYTES_MAX)
      throw refused(`${at}.${index}.data`, `is too long: all calls together take at most ${CALLS_BYTES_MAX} bytes`);
    return { to, valueUnits, dataHex };
  });
}
