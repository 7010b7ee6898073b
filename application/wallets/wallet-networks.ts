import { codecOf } from '../../chains/codecs';
import { factsOf } from '../../chains/networks';
import type { KeyForm } from '../../domain/keys';
import { isKeyNetwork, KEY_NETWORKS, type WalletNetworkName } from '../../domain/networks';
import { enabledNetwork } from '../networks/enabled-networks';
import { badField } from '../request-faults';
import type { Services } from '../services';

/** `form` is the scheme and curve of a new key on this network. */
export type EnabledWalletNetwork = {
  readonly name: WalletNetworkName;
  readonly form: KeyForm;
  readonly otherForms?: readonly KeyForm[];
};

/**
 * Throws `NetworkNotEnabled` for a network without a record or without a node. A network on which wallets only sign
 * (`KEY_NETWORKS`) needs no record and no node.
 */
export function enabledWalletNetwork(services: Pick<Services, 'readers'>, name: string): EnabledWalletNetwork {
  if (isKeyNetwork(name)) return { name, form: KEY_NETWORKS[name] };
  const { network } = enabledNetwork(services, name, 'body.network');
  const form = { scheme: network.scheme, curve: network.curve };
  return { name: network.name, form, otherForms: factsOf(network).otherForms };
}

/**
 * A member that is not requested keeps its default. Throws `InvalidRequest` for a member that does not fit the network. The
 * path in the error begins with `below`.
 */
export function inForm(network: EnabledWalletNetwork, asked: Partial<KeyForm> | undefined, below = ''): EnabledWalletNetwork {
  const { form, otherForms = [] } = network;
  if (asked?.curve !== undefined && asked.curve !== form.curve)
    throw badField(`${below}curve`, `must be ${form.curve} on ${network.name}`);
  const found = [form, ...otherForms].find((one) => one.scheme === (asked?.scheme ?? form.scheme));
  if (!found)
    throw badField(
      `${below}scheme`,
      `must be ${[form, ...otherForms].map(({ scheme }) => scheme).join(' or ')} on ${network.name}`,
    );
  return { ...network, form: found };
}

/**
 * The maximum number of cached addresses; the oldest is removed first. Computing an address takes about a hundred microseconds,
 * and each view of a wallet needs its address.
 */
const ADDRESSES_MAX = 10_000;
const addresses = new Map<string, string>();

/** Null for networks that only sign. */
export function addressOn(network: WalletNetworkName, publicKeyHex: string): string | null {
  if (isKeyNetwork(network)) return null;
  const name = `${network} ${publicKeyHex}`;
  const known = addresses.get(name);
  if (known !== undefined) return known;
  const address = codecOf(network).addressOf(publicKeyHex);
  const [oldest] = addresses.size < ADDRESSES_MAX ? [] : addresses.keys();
  if (oldest !== undefined) addresses.delete(oldest);
  addresses.set(name, address);
  return address;
}
