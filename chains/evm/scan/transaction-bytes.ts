import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concat, type Hex, hexToBytes, toRlp } from 'viem';
import type { AuthorizationReply, TransactionReply } from './block-schemas';

type Item = Hex | readonly Item[];
type Text = string | null | undefined;

const LEGACY = '0x0';
/** The lowest `v` of a legacy transaction that names its chain (EIP-155): 35 + 2 × chain id + parity. */
const V_WITH_CHAIN = 35n;
const V_WITHOUT_CHAIN = 27n;
/** The first byte of the bytes that an authorization signs (EIP-7702). */
const AUTHORIZATION_PREFIX = '0x05';

const accessListOf = ({ accessList }: TransactionReply): Item =>
  (accessList ?? []).map(({ address, storageKeys }) => [data(address), storageKeys.map(data)]);

/** The members that follow the prices in a transaction of every type. */
const callOf = ({ gas, to, value, input }: TransactionReply): Item[] => [quantity(gas), data(to), quantity(value), data(input)];

const dynamicOf = (tx: TransactionReply): Item[] => [
  ...[tx.chainId, tx.nonce, tx.maxPriorityFeePerGas, tx.maxFeePerGas].map(quantity),
  ...callOf(tx),
  accessListOf(tx),
];

/** The members of a transaction without its signature, by transaction type. 0x7b is CIP-64 of Celo. */
const MEMBERS: Readonly<Record<string, (tx: TransactionReply) => Item[]>> = {
  [LEGACY]: (tx) => [quantity(tx.nonce), quantity(tx.gasPrice), ...callOf(tx)],
  '0x1': (tx) => [...[tx.chainId, tx.nonce, tx.gasPrice].map(quantity), ...callOf(tx), accessListOf(tx)],
  '0x2': dynamicOf,
  '0x3': (tx) => [...dynamicOf(tx), quantity(tx.maxFeePerBlobGas), (tx.blobVersionedHashes ?? []).map(data)],
  '0x4': (tx) => [
    ...dynamicOf(tx),
    (tx.authorizationList ?? []).map((one) => [
      ...[quantity(one.chainId), data(one.address), quantity(one.nonce), quantity(one.yParity), quantity(one.r), quantity(one.s)],
    ]),
  ],
  '0x7b': (tx) => [...dynamicOf(tx), data(tx.feeCurrency)],
};

/** The signed bytes. Undefined for a type of another network. */
export function rawOf(tx: TransactionReply): Hex | undefined {
  const members = MEMBERS[tx.type]?.(tx);
  const last = tx.type === LEGACY ? tx.v : (tx.yParity ?? tx.v);
  return members && typed(tx.type, rlp([...members, quantity(last), quantity(tx.r), quantity(tx.s)]));
}

/** What the sender signs, and the parity of the signature. Undefined for a type of another network. */
export function signedBy(tx: TransactionReply): { readonly digestHex: string; readonly parity: bigint } | undefined {
  const members = MEMBERS[tx.type]?.(tx);
  const v = BigInt((tx.type === LEGACY ? tx.v : (tx.yParity ?? tx.v)) ?? '0x0');
  if (!members) return undefined;
  if (tx.type !== LEGACY) return { digestHex: hashed(typed(tx.type, rlp(members))), parity: v };
  if (v < V_WITH_CHAIN) return { digestHex: hashed(rlp(members)), parity: v - V_WITHOUT_CHAIN };
  const chainId = quantity(`0x${((v - V_WITH_CHAIN) / 2n).toString(16)}`);
  return { digestHex: hashed(rlp([...members, chainId, '0x', '0x'])), parity: (v - V_WITH_CHAIN) % 2n };
}

export const authorizationDigest = ({ chainId, address, nonce }: AuthorizationReply): string =>
  hashed(concat([AUTHORIZATION_PREFIX, rlp([quantity(chainId), data(address), quantity(nonce)])]));

export const typed = (type: string, bytes: Hex): Hex =>
  BigInt(type) === 0n ? bytes : concat([`0x${type.slice(2).padStart(2, '0')}`, bytes]);
export const rlp = (items: readonly Item[]): Hex => toRlp(items as Parameters<typeof toRlp>[0], 'hex') as Hex;
export const hashed = (bytes: Hex): string => bytesToHex(keccak_256(hexToBytes(bytes)));
export const data = (text: Text): Hex => (text ?? '0x') as Hex;

/** Without leading zeros; zero is the empty string. */
export function quantity(text: Text): Hex {
  const digits = (text ?? '0x').slice(2).replace(/^0+/, '');
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}
