import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { getAddress, publicKeyToAddress } from 'viem/utils';
import { AppError } from '../../domain/errors';
import { asHex } from './call';
import type { Signature } from './types';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function addressOf(publicKeyHex: string): string {
  const point = secp256k1.Point.fromHex(publicKeyHex.replace(/^0x/, ''));
  return publicKeyToAddress(`0x${point.toHex(false)}`);
}

/** Returns an address with its checksum (EIP-55). The network's addresses may begin with `prefix` instead of 0x. */
export function parseAddress(written: string, prefix?: string): string {
  const text = prefix !== undefined && written.startsWith(prefix) ? `0x${written.slice(prefix.length)}` : written;
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

/** Undefined if no key can have made the signature, or if `s` is in the upper half of its range. */
export function signerOf(digestHex: string, { r, s, recoveryId }: Signature): string | undefined {
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
