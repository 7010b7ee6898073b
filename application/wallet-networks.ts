import { codecOf } from '../chains/codecs';
import { findNetwork } from '../chains/networks';
import { AppError } from '../domain/errors';
import type { KeyForm } from '../domain/keys';
import { isKeyNetwork, KEY_NETWORKS, type WalletNetworkName } from '../domain/networks';
import type { Services } from './services';

/** A network on which a wallet can be made, with the one form of key that it takes. */
export type WalletNetwork = { readonly name: WalletNetworkName; readonly form: KeyForm };

const notEnabled = (name: string, cause?: unknown) => {
  const message = `${name} is not enabled on this service`;
  return new AppError('NetworkNotEnabled', message, { issues: [{ path: 'body.network', message }] }, cause);
};

/** Throws `NetworkNotEnabled` for a network without record or without node; those that only sign need neither. */
export function enabledWalletNetwork({ readers }: Pick<Services, 'readers'>, name: string): WalletNetwork {
  if (isKeyNetwork(name)) return { name, form: KEY_NETWORKS[name] };
  const network = findNetwork(name);
  if (!network) throw notEnabled(name);
  try {
    readers(network.name);
  } catch (error) {
    throw notEnabled(name, error);
  }
  return { name: network.name, form: { scheme: network.scheme, curve: network.curve } };
}

/** The address of this public key there; null where wallets only sign. */
export const addressOn = (network: WalletNetworkName, publicKeyHex: string): string | null =>
  isKeyNetwork(network) ? null : codecOf(network).addressOf(publicKeyHex);
