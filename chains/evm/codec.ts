import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { getAddress, keccak256, parseTransaction, publicKeyToAddress, serializeTransaction } from 'viem/utils';
import { AMOUNT_UNITS_MAX } from '../../domain/amounts';
import { AppError, invariant } from '../../domain/errors';
import type { Codec, FeeTerms, Network, Signature, SignedTx, TransferIntent, UnsignedTx } from '../types';
import { asHex, callOf } from './call';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

function addressOf(publicKeyHex: string): string {
  const point = secp256k1.Point.fromHex(publicKeyHex.replace(/^0x/, ''));
  return publicKeyToAddress(`0x${point.toHex(false)}`);
}

function parseAddress(text: string): string {
  if (!ADDRESS.test(text)) throw new AppError('InvalidAddress', 'An address is 0x followed by 40 hexadecimal digits');
  const digits = text.slice(2);
  const canonical = getAddress(asHex(digits.toLowerCase()));
  const carriesChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (carriesChecksum && text !== canonical) {
    throw new AppError(
      'InvalidAddress',
      'The checksum of the address is wrong: a character was mistyped or its case was changed',
    );
  }
  return canonical;
}

function build(network: Network, intent: TransferIntent, nonce: number, fees: FeeTerms): UnsignedTx {
  invariant(intent.network === network.name, 'the intent is for this network');
  invariant(intent.amountUnits >= 0n && intent.amountUnits <= AMOUNT_UNITS_MAX, 'the amount fits a word');
  invariant(Number.isSafeInteger(nonce) && nonce >= 0, 'the nonce is a safe integer');
  invariant(fees.gas > 0n && fees.maxPriorityFeePerGas >= 0n, 'fees are not negative');
  invariant(fees.maxPriorityFeePerGas <= fees.maxFeePerGas, 'the tip is a part of the whole fee');
  const bytes = serializeTransaction({ type: 'eip1559', chainId: network.chainId, nonce, ...callOf(intent), ...fees });
  return { bytesHex: bytes, digestHex: keccak256(bytes), nonce, maxFeeUnits: fees.gas * fees.maxFeePerGas };
}

/** The address whose key made the signature; undefined for one that no key can have made or whose `s` is in the upper half. */
function signerOf(digestHex: string, { r, s, recoveryId }: Signature): string | undefined {
  try {
    const compact = hexToBytes(`${r.replace(/^0x/, '')}${s.replace(/^0x/, '')}`);
    const signature = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recoveryId);
    if (signature.hasHighS()) return undefined;
    const point = signature.recoverPublicKey(hexToBytes(digestHex.slice(2)));
    return addressOf(bytesToHex(point.toBytes(true)));
  } catch {
    return undefined;
  }
}

function attach(unsigned: UnsignedTx, signature: Signature, from: string): SignedTx {
  const bytes = asHex(unsigned.bytesHex);
  // The digest is computed again: a stored one could belong to other bytes.
  const sender = signerOf(keccak256(bytes), signature);
  if (sender !== from) throw new AppError('EnvelopeMismatch', 'The signature does not belong to these bytes and this sender');
  const raw = serializeTransaction(parseTransaction(bytes), {
    r: asHex(signature.r),
    s: asHex(signature.s),
    yParity: signature.recoveryId,
  });
  return { rawHex: raw, txHash: keccak256(raw) };
}

/** EIP-1559 transfers of one network, built with viem. */
export function createEvmCodec(network: Network): Codec {
  return { addressOf, parseAddress, attach, build: (intent, nonce, fees) => build(network, intent, nonce, fees) };
}
