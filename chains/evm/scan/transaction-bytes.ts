import { concat, type Hex } from 'viem';
import type { AuthorizationReply, TransactionReply } from './block-schemas';
import { accessListOf, data, hashed, type Item, quantity, rlp, typed } from './rlp-items';
import { rawTempoOf, TEMPO_TX_TYPE } from './tempo-bytes';

const LEGACY = '0x0';
const DEPOSIT = '0x7e';
/** The lowest `v` of a legacy transaction that names its chain (EIP-155): 35 + 2 × chain id + parity. */
const V_WITH_CHAIN = 35n;
const V_WITHOUT_CHAIN = 27n;
/** The first of the bytes that are signed for an authorization (EIP-7702). */
const AUTHORIZATION_PREFIX = '0x05';

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

/** A deposit into a rollup of the OP stack has no signature (https://specs.optimism.io/protocol/deposits.html). */
const rawDepositOf = (tx: TransactionReply): Hex =>
  typed(
    tx.type,
    rlp([
      ...[tx.sourceHash, tx.from, tx.to].map(data),
      ...[tx.mint, tx.value, tx.gas, tx.isSystemTx ? '0x1' : '0x0'].map(quantity),
      data(tx.input),
    ]),
  );

/** The bytes that the transactions root covers. Undefined for an unknown type. */
export function rawOf(tx: TransactionReply): Hex | undefined {
  if (tx.type === TEMPO_TX_TYPE) return rawTempoOf(tx);
  if (tx.type === DEPOSIT && tx.sourceHash) return rawDepositOf(tx);
  const members = MEMBERS[tx.type]?.(tx);
  const last = tx.type === LEGACY ? tx.v : (tx.yParity ?? tx.v);
  return members && typed(tx.type, rlp([...members, quantity(last), quantity(tx.r), quantity(tx.s)]));
}

/** The digest that the sender signs, and the parity of the signature. Undefined for an unknown type. */
export function signedBy(tx: TransactionReply): { readonly digestHex: string; readonly parity: bigint } | undefined {
  const members = MEMBERS[tx.type]?.(tx);
  const v = BigInt((tx.type === LEGACY ? tx.v : (tx.yParity ?? tx.v)) ?? '0x0');
  if (!members) return undefined;
  if (tx.type !== LEGACY) return { digestHex: hashed(typed(tx.type, rlp(members))), parity: v };
  if (v < V_WITH_CHAIN) return { digestHex: hashed(rlp(members)), parity: v - V_WITHOUT_CHAIN };
  const chainId = quantity(`0x${((v - V_WITH_CHAIN) / 2n).toString(16)}`);
  return { digestHex: hashed(rlp([...members, chainId, '0x', '0x'])), parity: (v - V_WITH_CHAIN) % 2n };
}

export const authorizationDigest = ({
  chainId,
  address,
  nonce,
}: Pick<AuthorizationReply, 'chainId' | 'address' | 'nonce'>): string =>
  hashed(concat([AUTHORIZATION_PREFIX, rlp([quantity(chainId), data(address), quantity(nonce)])]));
