import { findNetwork } from '../../../chains/networks';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Arithmetic } from '../../protocol';
import { refuseUnless } from '../../wire/refusal';

/**
 * Throws the `Refusal` `MainnetNotAllowed` for a mainnet that the charter of the organisation does not name, and for every
 * mainnet if the arithmetic leaves copies of keys in memory.
 */
export function assertNetworkAllowed(
  name: string | undefined,
  charter: CharterInForce | undefined,
  arithmetic: Arithmetic,
): void {
  if (name === undefined || findNetwork(name)?.isMainnet !== true) return;
  const isNamed = charter?.content.mainnets?.includes(name) === true;
  refuseUnless(isNamed && arithmetic === 'native', 'MainnetNotAllowed');
}
