import type { IncomingMessage } from 'node:http';
import { clientNetwork, createAddressOf, networksOf } from '../../../api/http/client-address';

const request = (peer: string, forwarded?: string) =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as IncomingMessage;

describe('the address of a request', () => {
  let strangers = 0;
  const addressOf = createAddressOf(networksOf(['10.0.0.0/8', '2001:db8:1::/48']), () => {
    strangers += 1;
  });
  beforeEach(() => {
    strangers = 0;
  });

  test.each([
    ['no proxy forwards the request', '203.0.113.9', undefined, '203.0.113.9'],
    ['a caller that is not a proxy sends a forwarding header', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a trusted proxy forwards the request', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['two trusted proxies forward the request', '10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['the caller put an address into the header', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['the caller put the address of a trusted proxy into the header', '10.0.0.1', '10.0.0.2, 198.51.100.1', '198.51.100.1'],
    ['every address belongs to a trusted proxy', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the header contains no address', '10.0.0.1', 'nonsense', '10.0.0.1'],
    ['the header contains no address before a trusted proxy', '10.0.0.1', 'nonsense, 10.0.0.2', '10.0.0.2'],
    ['the header is empty', '10.0.0.1', '', '10.0.0.1'],
    ['the proxy has an IPv4-mapped IPv6 address', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the caller has an IPv4-mapped IPv6 address', '::ffff:198.51.100.1', undefined, '198.51.100.1'],
    ['a trusted proxy has an IPv6 address', '2001:db8:1::7', '2001:db8:2::9', '2001:db8:2::9'],
    ['the connection has closed', '', '198.51.100.1', ''],
  ])('when %s', (_case, peer, forwarded, expected) => {
    expect(addressOf(request(peer, forwarded))).toBe(expected);
  });

  test('a very long header causes only a few checks', () => {
    expect(addressOf(request('10.0.0.1', Array(10_000).fill('10.0.0.2').join(',')))).toBe('10.0.0.2');
  });

  test('a sender that forwards requests and is not a trusted proxy is reported', () => {
    addressOf(request('203.0.113.9', '198.51.100.1'));
    expect(strangers).toBe(1);
    addressOf(request('10.0.0.1', '198.51.100.1'));
    addressOf(request('203.0.113.9'));
    expect(strangers).toBe(1);
  });
});

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('requests from the client at %s are counted for %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', '10.0.0', '::1/129'])('%j is not a network', (text) => {
  expect(() => networksOf([text])).toThrow();
});
