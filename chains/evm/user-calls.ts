import type { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { UserCall } from '../../domain/transactions';
import { termsOf } from './parse-transaction';
import type { EvmNetwork, UserCallInput } from './types';
import { ENTRY_POINT } from './user-operations';

/**
 * The limit for all calls of a batch together. With this limit an order to the signer stays well below the size limit of
 * orders.
 */
const CALLS_BYTES_MAX = 16 * 1024;
/**
 * The maximum number of bytes that each call takes in addition to its data. The padding of the data to whole words is included.
 */
const CALL_BYTES = 192;

const refused = (path: string, message: string): AppError => fieldFault(path, message);

/**
 * Reads the calls of one operation. Each call is checked in the same way as a separate transaction. Throws `InvalidRequest`
 * with the path below `at` for an invalid call, and for a call that could hide other calls.
 */
export function userCallsOf(
  network: EvmNetwork,
  inputs: readonly UserCallInput[],
  from: string,
  at: string,
): readonly UserCall[] {
  let bytes = 0;
  return inputs.map(({ to: target, value = '0', data = '0x' }, index) => {
    const { to, valueUnits, dataHex } = termsOf(network, { to: target, value, data }, from, `${at}.${index}`).call;
    // Functions of the account itself can make further calls. Functions of the entry point can use up the nonces of other
    // operations. No policy would see these effects.
    if (dataHex !== '0x' && (to === from || to === ENTRY_POINT))
      throw refused(`${at}.${index}.data`, 'must be empty for the wallet itself and for the entry point');
    bytes += CALL_BYTES + dataHex.length / 2;
    if (bytes > CALLS_BYTES_MAX)
      throw refused(`${at}.${index}.data`, `is too long: all calls together take at most ${CALLS_BYTES_MAX} bytes`);
    return { to, valueUnits, dataHex };
  });
}
