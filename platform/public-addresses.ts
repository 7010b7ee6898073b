import { BlockList, isIP } from 'node:net';

type Subnet = readonly [address: string, prefixBits: number];

/** IANA's special-purpose IPv4 ranges, multicast, and 168.63.129.16, where Azure serves data to its virtual machines. */
const IPV4_REFUSED: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/**
 * Refused ranges inside global unicast: Teredo and other protocol assignments, documentation, and 6to4. A 6to4 address can
 * contain any IPv4 address.
 */
const IPV6_REFUSED: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refused = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [address, bits] of IPV4_REFUSED) refused.ipv4.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of IPV6_REFUSED) refused.ipv6.addSubnet(address, bits, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** False for every address that is not clearly public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refused.ipv4.check(address, 'ipv4');
  // Mapped, translated (NAT64), private, link-local and multicast addresses are all outside the global unicast range.
  return family === 6 && globalUnicast.check(address, 'ipv6') && !refused.ipv6.check(address, 'ipv6');
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
