import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { addr, Transaction, type TxCoder } from 'micro-eth-signer';
import { COLLECTIBLE_TRANSFER, readCall, TOKEN_TRANSFER, unreadableCall, with0x } from './decoder-calls';
import { readTempo } from './decoder-tempo';
import type { DecodedTx, EvmDecoder, EvmNetwork } from './types';

const unreadable = (reason: string): DecodedTx => ({
  chainId: 0,
  nonce: 0,
  recipient: '',
  amountUnits: 0n,
  asset: { kind: 'Native' },
  maxFeeUnits: 0n,
  opaque: [reason],
});

/** One call, in whatever form a transaction carries it; hex with or without prefix. */
type Call = {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
  readonly maxFeeUnits: bigint;
  readonly opaque: readonly string[];
};

/** The transfer in a call: plain value, `transfer(address,uint256)` or `safeTransferFrom(address,address,uint256)`, to the letter. */
function transferIn({ chainId, nonce, to, value, data: written, maxFeeUnits, opaque: before }: Call): DecodedTx {
  const opaque = [...before];
  if (nonce > BigInt(Number.MAX_SAFE_INTEGER)) opaque.push('nonce');
  if (chainId > BigInt(Number.MAX_SAFE_INTEGER)) opaque.push('chain id');
  if (!/^0x[0-9a-f]{40}$/i.test(with0x(to))) return unreadable('contract creation');

  const common = { chainId: Number(chainId), nonce: Number(nonce), maxFeeUnits };
  const target = addr.addChecksum(with0x(to));
  const data = with0x(written);
  if (data === '0x') return { ...common, recipient: target, amountUnits: value, asset: { kind: 'Native' }, opaque };

  if (value !== 0n) opaque.push('value beside a token transfer');
  const [, recipient, amount] = TOKEN_TRANSFER.exec(data) ?? [];
  if (recipient !== undefined && amount !== undefined) {
    const asset = { kind: 'Erc20', contract: target } as const;
    return { ...common, recipient: addr.addChecksum(`0x${recipient}`), amountUnits: BigInt(`0x${amount}`), asset, opaque };
  }
  const [, owner, receiver, tokenId] = COLLECTIBLE_TRANSFER.exec(data) ?? [];
  if (owner === undefined || receiver === undefined || tokenId === undefined) return { ...unreadable('call data'), ...common };
  return {
    ...common,
    recipient: addr.addChecksum(`0x${receiver}`),
    owner: addr.addChecksum(`0x${owner}`),
    amountUnits: 1n,
    asset: { kind: 'Erc721', contract: target, tokenId: BigInt(`0x${tokenId}`).toString() },
    opaque,
  };
}

/** Types 0 with its chain id (EIP-155) and 2: the exact bytes the network hashes must be the canonical encoding of what was read. */
function readTyped(bytesHex: string, type: 'legacy' | 'eip1559'): Call {
  const tx = Transaction.fromHex(bytesHex);
  if (tx.type !== type) throw new Error(`transaction type ${tx.type}`);
  const opaque: string[] = [];
  if (tx.isSigned || tx.toHex({ includeSignature: false }) !== bytesHex) opaque.push('encoding');
  if (type === 'legacy') {
    const { chainId, nonce, to, value, data, gasLimit, gasPrice } = tx.raw as TxCoder<'legacy'>;
    if (chainId === undefined) opaque.push('chain id');
    return { chainId: chainId ?? 0n, nonce, to, value, data, maxFeeUnits: gasLimit * gasPrice, opaque };
  }
  const { chainId, nonce, to, value, data, gasLimit, maxFeePerGas, accessList } = tx.raw as TxCoder<'eip1559'>;
  if (accessList.length > 0) opaque.push('access list');
  return { chainId, nonce, to, value, data, maxFeeUnits: gasLimit * maxFeePerGas, opaque };
}

function readTempoCall(bytesHex: string, feeToken: string): Call {
  const { surplus, gas, maxFeePerGas, feeToken: taken, ...call } = readTempo(bytesHex);
  const isFeeToken = `0x${taken}` === feeToken.toLowerCase();
  return { ...call, maxFeeUnits: gas * maxFeePerGas, opaque: isFeeToken ? surplus : [...surplus, 'fee token'] };
}

/** A transfer in the one form that the network's transfers have; any other is not understood. */
function read({ feeToken, isLegacy }: EvmNetwork, bytesHex: string): DecodedTx {
  if (feeToken) return transferIn(readTempoCall(bytesHex, feeToken.contract));
  return transferIn(readTyped(bytesHex, isLegacy ? 'legacy' : 'eip1559'));
}

/** The second opinion on EVM bytes, with micro-eth-signer and a reader of our own: nothing here is shared with the code that builds them. */
export function createEvmDecoder(network: EvmNetwork): EvmDecoder {
  return {
    family: 'evm',
    decode(bytesHex) {
      try {
        return read(network, bytesHex);
      } catch {
        return unreadable('bytes');
      }
    },
    decodeCall(bytesHex) {
      try {
        return readCall(bytesHex);
      } catch {
        return unreadableCall('bytes');
      }
    },
    digestOf: (bytesHex) => keccak_256(hexToBytes(bytesHex.slice(2))),
    addressOf: (publicKeyHex) => addr.fromPublicKey(publicKeyHex),
    sameAddress: (a, b) => a.length === 42 && a.toLowerCase() === b.toLowerCase(),
  };
}
