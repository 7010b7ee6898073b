import { decodeFunctionData, encodeFunctionData, keccak256, parseTransaction, serializeTransaction } from 'viem/utils';
import { AMOUNT_UNITS_MAX } from '../../domain/amounts';
import { AppError, invariant } from '../../domain/errors';
import { inSlot, isAbsent } from '../../domain/slots';
import type { EvmCall } from '../../domain/transactions';
import type { Effect, SignedTx, TransferIntent } from '../types';
import { asHex, callOf, ERC20, type Hex } from './call';
import { decodeAnswer, encodeFunction } from './functions';
import { termsOf } from './parse-transaction';
import { serializeCall, serializeTransfer } from './serialize';
import { addressOf, parseAddress, signerOf } from './signatures';
import { completeSponsored, sponsoredFeesIn } from './sponsored';
import type { EvmCodec, EvmNetwork, EvmTransferForm, FeeTerms, Signature, UnsignedTx } from './types';
import { userCallsOf } from './user-calls';
import { variantOf } from './variants';

function assertBuildable(amountUnits: bigint, nonce: number, fees: FeeTerms): void {
  invariant(amountUnits >= 0n && amountUnits <= AMOUNT_UNITS_MAX, 'the amount fits a word');
  invariant(Number.isSafeInteger(nonce) && nonce >= 0, 'the nonce is a safe integer');
  invariant(fees.gas > 0n && fees.maxPriorityFeePerGas >= 0n, 'fees are not negative');
  invariant(fees.maxPriorityFeePerGas <= fees.maxFeePerGas, 'the tip is a part of the whole fee');
}

const unsignedOf = (bytes: Hex, nonce: number, { gas, maxFeePerGas, dataFeeUnits = 0n }: FeeTerms): UnsignedTx => ({
  bytesHex: bytes,
  digestHex: keccak256(bytes),
  nonce,
  maxFeeUnits: gas * maxFeePerGas + dataFeeUnits,
});

function build(network: EvmNetwork, intent: TransferIntent, nonce: number, fees: FeeTerms, form?: EvmTransferForm): UnsignedTx {
  invariant(intent.network === network.name, 'the intent is for this network');
  assertBuildable(intent.amountUnits, nonce, fees);
  return unsignedOf(serializeTransfer(network, intent, nonce, fees, form), nonce, fees);
}

function buildCall(network: EvmNetwork, call: EvmCall, nonce: number, fees: FeeTerms): UnsignedTx {
  assertBuildable(BigInt(call.valueUnits), nonce, fees);
  return unsignedOf(serializeCall(network, call, nonce, fees), nonce, fees);
}

/** Undefined unless the data is exactly the encoding of a token transfer. */
function tokenTransferIn(data: Hex): { readonly recipient: string; readonly amountUnits: bigint } | undefined {
  try {
    const decoded = decodeFunctionData({ abi: ERC20, data });
    if (decoded.functionName !== 'transfer') return undefined;
    const [recipient, amountUnits] = decoded.args;
    const again = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [recipient, amountUnits] });
    return again === data ? { recipient, amountUnits } : undefined;
  } catch {
    return undefined;
  }
}

function effectOf(call: EvmCall): Effect {
  const value = BigInt(call.valueUnits);
  if (call.authorizationList.length === 0) {
    if (call.dataHex === '0x') return { asset: { kind: 'Native' }, recipient: call.to, amountUnits: value };
    const moved = value === 0n ? tokenTransferIn(asHex(call.dataHex)) : undefined;
    if (moved) return { asset: { kind: 'Erc20', contract: call.to }, ...moved };
  }
  return { asset: { kind: 'Call' }, recipient: call.to, amountUnits: value };
}

function attach(network: EvmNetwork, unsigned: UnsignedTx, signature: Signature, from: string): SignedTx {
  const bytes = asHex(unsigned.bytesHex);
  // The digest is computed again, because a stored digest could belong to different bytes.
  const sender = signerOf(keccak256(bytes), signature);
  if (sender !== from) throw new AppError('EnvelopeMismatch', 'The signature does not belong to these bytes and this sender');
  const raw = signedOf(network, bytes, signature);
  return { rawHex: raw, txHash: keccak256(raw) };
}

function signedOf(network: EvmNetwork, bytes: Hex, signature: Signature): Hex {
  const { ownType } = variantOf(network).serialize;
  return !isAbsent(ownType) && bytes.startsWith(ownType.prefix)
    ? ownType.attach(bytes, signature)
    : withSignature(bytes, signature);
}

const withSignature = (bytes: Hex, signature: Signature): Hex =>
  serializeTransaction(parseTransaction(bytes), {
    r: asHex(signature.r),
    s: asHex(signature.s),
    yParity: signature.recoveryId,
    // viem takes `v` of a legacy transaction as 27 or 28 and converts `v` to the form of EIP-155.
    v: signature.recoveryId === 0 ? 27n : 28n,
  });

export function createEvmCodec(network: EvmNetwork): EvmCodec {
  return {
    family: 'evm',
    addressOf,
    parseAddress: (text) => parseAddress(text, network.addressPrefix),
    attach: (unsigned, signature, from) => attach(network, unsigned, signature, from),
    build: (intent, nonce, fees, form) => build(network, intent, nonce, fees, form),
    termsOf: (input, from, at) => termsOf(network, input, from, at),
    effectOf,
    encodeFunction,
    decodeAnswer,
    callOf: (intent) => {
      const { to, value, data } = callOf(intent);
      return { to, valueUnits: value.toString(), dataHex: data };
    },
    userCallsOf: (inputs, from, at) => userCallsOf(network, inputs, from, at),
    buildSponsored: (sponsored, nonce, fees) => {
      assertBuildable(0n, nonce, fees);
      const { bytes, operationHash } = inSlot(variantOf(network).serialize.sponsored)(sponsored, nonce, fees);
      return { unsigned: unsignedOf(bytes, nonce, fees), operationHash };
    },
    sponsoredFeesIn,
    completeSponsored: (unsigned, signatures) => {
      const bytes = completeSponsored(network, unsigned.bytesHex, signatures);
      return { ...unsigned, bytesHex: bytes, digestHex: keccak256(bytes) };
    },
    buildCall: (call, nonce, fees) => buildCall(network, call, nonce, fees),
  };
}
