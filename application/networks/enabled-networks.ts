import { findNetwork } from '../../chains/networks';
import type { ChainReader, Network } from '../../chains/types';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { NetworkName } from '../../domain/networks';
import type { Services } from '../services';

export const notEnabled = (message: string, path: string, cause?: unknown): AppError =>
  fieldFault(path, message, { code: 'NetworkNotEnabled', cause });

export function hasNode(readers: Services['readers'], name: NetworkName): boolean {
  try {
    readers(name);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NetworkNotEnabled') return false;
    throw error;
  }
}

/**
 * Whether keys sign for the network. The network needs a node of this deployment, or an entry in the setting
 * SIGN_WITHOUT_NODES.
 */
export const signsFor = ({ readers, signingOnly }: Pick<Services, 'readers' | 'signingOnly'>, name: NetworkName): boolean =>
  signingOnly?.has(name) === true || hasNode(readers, name);

/** Throws `NetworkNotEnabled` for a network for which this service has no code. */
export function servedNetwork(name: string, path: string): NetworkName {
  const network = findNetwork(name);
  if (!network) throw notEnabled(`${name} is not supported by this service yet`, path);
  return network.name;
}

/** Throws `NetworkNotEnabled` if the network has no record or no node. */
export function enabledNetwork(
  { readers }: Pick<Services, 'readers'>,
  name: string,
  path: string,
): { readonly network: Network; readonly reader: ChainReader } {
  const refused = (cause?: unknown) => notEnabled(`${name} is not enabled on this service`, path, cause);
  const network = findNetwork(name);
  if (!network) throw refused();
  try {
    return { network, reader: readers(network.name) };
  } catch (error) {
    throw refused(error);
  }
}
