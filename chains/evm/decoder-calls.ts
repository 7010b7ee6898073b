import { addr, Transaction, type TxCoder, type TxType } from 'micro-eth-signer';
import type { EvmAccess, EvmAuthorization, EvmCall, EvmTransactionType } from '../../domain/transactions';
import type { Effect } from '../types';
import type { DecodedCall } from './types';

/** Call data of `transfer(address,uint256)`. */
export const TOKEN_TRANSFER = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/;
/** Call data of `safeTransferFrom(address,address,uint256)` with owner, recipient and token id. */
export const COLLECTIBLE_TRANSFER = /^0x42842e0e0{24}([0-9a-f]{40})0{24}([0-9a-f]{40})([0-9a-f]{64})$/;
const NUMBERS: Partial<Readonly<Record<TxType, EvmTransactionType>>> = { legacy: 0, eip2930: 1, eip1559: 2, eip7702: 4 };
export const NUMBER_MAX = BigInt(Number.MAX_SAFE_INTEGER);

export const with0x = (hex: string) => (hex.startsWith('0x') ? hex : `0x${hex}`);
const word = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`;

type Members = {
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly chainId?: bigint | undefined;
  readonly accessList?: TxCoder<'eip7702'>['accessList'];
  readonly authorizationList?: TxCoder<'eip7702'>['authorizationList'];
};

/**
 * The asset that a call moves, if the bytes show it. The codec implements the same rule in separate code, so that the decoder
 * notices a fault of the codec.
 */
export function effectOf(call: Pick<EvmCall, 'to' | 'valueUnits' | 'dataHex' | 'authorizationList'>): Effect {
  const native = BigInt(call.valueUnits);
  const unknown: Effect = { asset: { kind: 'Call' }, recipient: call.to, amountUnits: native };
  if (call.authorizationList.length > 0) return unknown;
  if (call.dataHex === '0x') return { ...unknown, asset: { kind: 'Native' } };
  const [, recipient, amount] = TOKEN_TRANSFER.exec(call.dataHex) ?? [];
  if (native !== 0n || recipient === undefined || amount === undefined) return unknown;
  return {
    asset: { kind: 'Erc20', contract: call.to },
    recipient: addr.addChecksum(`0x${recipient}`),
    amountUnits: BigInt(`0x${amount}`),
  };
}

export function callOf(type: EvmTransactionType, { to, value, data, accessList = [], authorizationList = [] }: Members): EvmCall {
  return {
    type,
    to: addr.addChecksum(to),
    valueUnits: value.toString(),
    dataHex: with0x(data).toLowerCase(),
    accessList: accessList.map(
      ({ address, storageKeys }): EvmAccess => ({
        address: addr.addChecksum(address),
        storageKeys: storageKeys.map((key) => with0x(key).toLowerCase()),
      }),
    ),
    authorizationList: authorizationList.map(
      ({ chainId, address, nonce, yParity, r, s }): EvmAuthorization => ({
        chainId: Number(chainId),
        address: addr.addChecksum(address),
        nonce: Number(nonce),
        yParity: yParity === 1 ? 1 : 0,
        r: word(r),
        s: word(s),
      }),
    ),
  };
}

const NOTHING: EvmCall = { type: 2, to: '', valueUnits: '0', dataHex: '0x', accessList: [], authorizationList: [] };
export const unreadableCall = (reason: string): DecodedCall => ({
  chainId: 0,
  nonce: 0,
  maxFeeUnits: 0n,
  call: NOTHING,
  effect: { asset: { kind: 'Call' }, recipient: '', amountUnits: 0n },
  opaque: [reason],
});

/** Reads an unsigned transaction of type 0, 1, 2 or 4. `opaque` lists the faults in the bytes. */
export function readCall(bytesHex: string): DecodedCall {
  const tx = Transaction.fromHex(bytesHex);
  const type = NUMBERS[tx.type];
  if (type === undefined) return unreadableCall(`transaction type ${tx.type}`);
  const raw = tx.raw as Members;
  if (!/^0x[0-9a-f]{40}$/i.test(with0x(raw.to))) return unreadableCall('contract creation');
  const opaque: string[] = [];
  if (tx.isSigned || tx.toHex({ includeSignature: false }) !== bytesHex) opaque.push('encoding');
  if (raw.nonce > NUMBER_MAX) opaque.push('nonce');
  if (raw.chainId === undefined || raw.chainId > NUMBER_MAX) opaque.push('chain id');
  const numbers = (raw.authorizationList ?? []).flatMap(({ chainId, nonce }) => [chainId, nonce]);
  if (numbers.some((number) => number > NUMBER_MAX)) opaque.push('authorization');
  const call = callOf(type, raw);
  return {
    chainId: Number(raw.chainId ?? 0n),
    nonce: Number(raw.nonce),
    maxFeeUnits: raw.gasLimit * (raw.maxFeePerGas ?? raw.gasPrice ?? 0n),
    call,
    effect: effectOf(call),
    opaque,
  };
}
