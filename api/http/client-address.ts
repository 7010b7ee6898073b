import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** So many hops of a forwarded header are looked at; behind them stands what the caller wrote itself. */
const HOPS_MAX = 16;
const V6_GROUPS = 8;
/** The part of an IPv6 address that belongs to one customer of a provider. */
const V6_NETWORK_GROUPS = 4;

/** Tells the client's address of a request. */
export type AddressOf = (request: IncomingMessage) => string;

/**
 * The peer of the connection, unless that is a proxy of ours: then the last address in `X-Forwarded-For` that is none of them.
 * What stands before it was written by somebody we have no reason to believe.
 */
export function createAddressOf(trusted: BlockList, onForwardedByStranger: () => void): AddressOf {
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '');
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined || isIP(peer) === 0) return peer;
    if (!isTrusted(peer)) {
      onForwardedByStranger();
      return peer;
    }
    let nearest = peer;
    for (const hop of String(forwarded).split(',').reverse().slice(0, HOPS_MAX)) {
      const address = plain(hop.trim());
      if (isIP(address) === 0) return nearest;
      nearest = address;
      if (!isTrusted(address)) return address;
    }
    return nearest;
  };
}

/** Addresses and networks (`10.0.0.0/8`) as a list that can be asked; throws for what is neither. */
export function networksOf(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits, ...rest] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new Error('no network');
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** What is counted as one client: an IPv4 address, or the IPv6 network of 64 bits, of which one customer has all addresses. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, behind] = [groups(head), groups(tail)];
  const gap = Array<string>(Math.max(0, V6_GROUPS - before.length - behind.length)).fill('0');
  const whole = address.includes('::') ? [...before, ...gap, ...behind] : before;
  return `${whole.slice(0, V6_NETWORK_GROUPS).join(':')}::/64`;
}

/** Without the zone of a link-local address, and an IPv4 address as such where IPv6 carries it. */
const plain = (address: string): string => address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
