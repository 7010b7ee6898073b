import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { addr } from 'micro-eth-signer';
import { isAbsent } from '../../domain/slots';
import { readCall, unreadableCall } from './decoder-calls';
import { readSponsored } from './decoder-sponsored';
import { transferIn, unreadable } from './decoder-transfers';
import { decodeSlotOf } from './decoder-variants';
import type { EvmDecoder, EvmNetwork } from './types';

/** The decoder shares nothing with the code that builds the bytes. */
export function createEvmDecoder(network: EvmNetwork): EvmDecoder {
  const { transfer, ownType } = decodeSlotOf(network);
  return {
    family: 'evm',
    decode(bytesHex) {
      try {
        return transferIn(transfer(bytesHex));
      } catch {
        return unreadable('bytes');
      }
    },
    decodeCall(bytesHex) {
      try {
        return !isAbsent(ownType) && bytesHex.startsWith(ownType.prefix) ? ownType.read(bytesHex) : readCall(bytesHex);
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
