import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Only the last addresses of `X-Forwarded-For` are read, because a caller can write any number of addresses at the beginning.
 */
const HOPS_MAX = 16;
const V6_GROUPS = 8;
/** The length, in 16-bit groups, of the IPv6 prefix that a provider gives to one customer. */
const V6_NETWORK_GROUPS = 4;

export type AddressOf = (request: IncomingMessage) => string;

/**
 * Returns the address of the client. A peer that is not one of our proxies is the client itself. The function then ignores
 * `X-Forwarded-For` and, if the header is present, calls `onForwardedByStranger`. If the peer is one of our proxies, the client
 * is the last address in the header that is not one of our proxies, because the caller could have invented the earlier addresses.
 * An entry that is not an address ends the search. If every address that was read is one of our proxies, the function returns the
 * earliest of them.
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

/** Accepts addresses and networks (`10.0.0.0/8`); throws for anything else. */
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

/**
 * Returns the /64 network of an IPv6 address, and any other address unchanged. The limits treat such a network as one client,
 * because one customer has all its addresses.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, behind] = [groups(head), groups(tail)];
  const gap = Array<string>(Math.max(0, V6_GROUPS - before.length - behind.length)).fill('0');
  const whole = address.includes('::') ? [...before, ...gap, ...behind] : before;
  return `${whole.slice(0, V6_NETWORK_GROUPS).join(':')}::/64`;
}

/** Drops the zone of a link-local address and unwraps an IPv4-mapped IPv6 address. */
const plain = (address: string): string => address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
