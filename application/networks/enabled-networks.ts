import { findNetwork } from '../../chains/networks';
import type { ChainReader, Network } from '../../chains/types';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { NetworkName } from '../../domain/networks';
import type { Services } from '../services';

/** The error for a network that the request names at `path`. */
export const notEnabled = (message: string, path: string, cause?: unknown): AppError =>
  fieldFault(path, message, { code: 'NetworkNotEnabled', cause });

/** Whether this deployment has a node of the network. */
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
 * Whether keys may sign for the network: the deployment has a node of the network, or the setting SIGN_WITHOUT_NODES lists the
 * network.
 */
export const signsFor = ({ readers, signingOnly }: Pick<Services, 'readers' | 'signingOnly'>, name: NetworkName): boolean =>
  signingOnly?.has(name) === true || hasNode(readers, name);

/**
 * The name of a network that this service has code for, with or without a node. Throws `NetworkNotEnabled` for any other name.
 */
export function servedNetwork(name: string, path: string): NetworkName {
  const network = findNetwork(name);
  if (!network) throw notEnabled(`${name} is not supported by this service yet`, path);
  return network.name;
}

/**
 * The record and the reader of a network that the request names at `path`. Throws `NetworkNotEnabled` if the network has no
 * record or no node.
 */
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
