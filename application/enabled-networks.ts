import { findNetwork } from '../chains/networks';
import type { Network, Reader } from '../chains/types';
import { AppError } from '../domain/errors';
import type { Services } from './services';

/** The record and the reader of a network that the request names at `path`. Throws `NetworkNotEnabled` for one without record or without node. */
export function enabledNetwork(
  { readers }: Pick<Services, 'readers'>,
  name: string,
  path: string,
): { readonly network: Network; readonly reader: Reader } {
  const refused = (cause?: unknown) => {
    const message = `${name} is not enabled on this service`;
    return new AppError('NetworkNotEnabled', message, { issues: [{ path, message }] }, cause);
  };
  const network = findNetwork(name);
  if (!network) throw refused();
  try {
    return { network, reader: readers(network.name) };
  } catch (error) {
    throw refused(error);
  }
}
