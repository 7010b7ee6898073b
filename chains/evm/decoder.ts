import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { addr, Transaction, type TxCoder } from 'micro-eth-signer';
import { readCall, unreadableCall } from './decoder-calls';
import { readCeloTransfer, readOwnCall, readTempoTransfer } from './decoder-own-types';
import { readSponsored } from './decoder-sponsored';
import { type Call, transferIn, unreadable } from './decoder-transfers';
import type { DecodedTx, EvmDecoder, EvmNetwork } from './types';

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

/** A transfer in the one form that the network's transfers have, on Celo in one of two; any other is not understood. */
function read(network: EvmNetwork, bytesHex: string): DecodedTx {
  const { feeToken, feeCurrencies, isLegacy } = network;
  if (feeToken) return transferIn(readTempoTransfer(feeToken.contract, bytesHex));
  if (feeCurrencies && bytesHex.startsWith('0x7b')) return transferIn(readCeloTransfer(network, bytesHex));
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
        return readOwnCall(network, bytesHex) ?? readCall(bytesHex);
      } catch {
        return unreadableCall('bytes');
      }
    },
    decodeSponsored: readSponsored,
    digestOf: (bytesHex) => keccak_256(hexToBytes(bytesHex.slice(2))),
    addressOf: (publicKeyHex) => addr.fromPublicKey(publicKeyHex),
    sameAddress: (a, b) => a.length === 42 && a.toLowerCase() === b.toLowerCase(),
  };
}
