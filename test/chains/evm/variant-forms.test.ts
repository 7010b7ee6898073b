import { concatHex, fromRlp, toRlp } from 'viem/utils';
import { createEvmCodec } from '../../../chains/evm/codec';
import { createEvmDecoder } from '../../../chains/evm/decoder';
import { ETHEREUM } from '../../../chains/evm/networks/ethereum';
import type { EvmNetwork } from '../../../chains/evm/types';
import type { TransferIntent } from '../../../chains/types';
import { TOKEN } from './intents';

type Hex = `0x${string}`;

const PATH_USD = '0x20C0000000000000000000000000000000000000';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const FROM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const legacy: EvmNetwork = { ...ETHEREUM.EthereumSepolia, variant: 'legacy' };
const tempo: EvmNetwork = {
  ...ETHEREUM.EthereumSepolia,
  variant: 'tempo',
  feeToken: { contract: PATH_USD, decimals: 6 },
  nonceKeys: 8,
};
const fees = { gas: 60_000n, maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1n };
const intent: TransferIntent = {
  network: 'EthereumSepolia',
  from: FROM,
  to: TO,
  amountUnits: 5n,
  asset: { kind: 'Erc20', contract: PATH_USD },
};
const built = createEvmCodec(tempo).build(intent, 3, fees).bytesHex as Hex;

test.each([
  ['legacy', legacy],
  ['tempo', tempo],
  ['EIP-1559', ETHEREUM.EthereumSepolia],
])('a transfer in the %s format is read only on networks with this format', (_form, network) => {
  const { bytesHex, maxFeeUnits } = createEvmCodec(network).build(intent, 3, fees);
  expect(maxFeeUnits).toBe(60_000n * 20_000_000_000n);
  const { asset, amountUnits } = intent;
  const read = { chainId: 11_155_111, nonce: 3, recipient: TO, amountUnits, asset, maxFeeUnits, opaque: [] };
  for (const one of [legacy, tempo, ETHEREUM.EthereumSepolia]) {
    const decoded = createEvmDecoder(one).decode(bytesHex);
    if (one === network) expect(decoded).toEqual(read);
    else expect(decoded.opaque).not.toEqual([]);
  }
});

/** The same transaction with the member at this index replaced. */
function changed(at: number, member: unknown): string {
  const members = fromRlp(`0x${built.slice(4)}`, 'hex') as unknown[];
  return concatHex(['0x76', toRlp(members.map((one, index) => (index === at ? member : one)) as Hex[])]);
}

test.each<[string, string]>([
  [
    'two calls',
    changed(
      4,
      [...Array(2)].map(() => [TO.toLowerCase(), '0x', '0x']),
    ),
  ],
  ['no call', changed(4, [])],
  ['an access list', changed(5, [[TO.toLowerCase(), []]])],
  ['the nonce key that does not count nonces', changed(6, `0x${'ff'.repeat(32)}`)],
  ['an expiry time', changed(8, '0x6553f100')],
  ['a time before which it is invalid', changed(9, '0x6553f100')],
  ['a different fee token', changed(10, TOKEN.toLowerCase())],
  ['a fee payer', changed(11, ['0x', '0x01', '0x01'])],
  ['an empty field for a fee payer', changed(11, '0x00')],
  ['an authorization', changed(12, [['0x01']])],
  ['a tip above the maximum fee', changed(1, '0x174876e800')],
  ['an integer with a leading zero', changed(7, '0x0003')],
  ['a signature', concatHex(['0x76', toRlp([...(fromRlp(`0x${built.slice(4)}`, 'hex') as Hex[]), `0x${'11'.repeat(65)}`])])],
  ['an additional byte', `${built}00`],
  ['a missing byte', built.slice(0, -2)],
  ['upper-case digits', `0x76${built.slice(4).toUpperCase()}`],
])('a Tempo transfer with %s is not understood', (_what, bytesHex) => {
  expect(createEvmDecoder(tempo).decode(bytesHex).opaque).not.toEqual([]);
});

test('an address may begin with xdc only on XDC, and its checksum is verified', () => {
  const xdc = createEvmCodec({ ...ETHEREUM.EthereumSepolia, addressPrefix: 'xdc' });
  expect([xdc.parseAddress(`xdc${TO.slice(2)}`), xdc.parseAddress(TO)]).toEqual([TO, TO]);
  expect(() => xdc.parseAddress(`xdc${TO.slice(2).replace('A', 'a')}`)).toThrow(/checksum/);
  expect(() => createEvmCodec(ETHEREUM.EthereumSepolia).parseAddress(`xdc${TO.slice(2)}`)).toThrow(/0x/);
});
