import { secp256k1 } from '@noble/curves/secp256k1.js';
import { addr, authorization as authorizations } from 'micro-eth-signer';
import type { EvmAuthorization } from '../../domain/transactions';
import { effectOf, readCall } from './decoder-calls';
import { transferIn } from './decoder-transfers';
import { readSponsoredCall } from './decoder-user-operations';
import type { DecodedSponsored } from './types';

/**
 * EntryPoint and Simple7702Account 0.8.0. The decoder must not trust the builder's list, so this file repeats the addresses.
 */
const ENTRY_POINT = '0x4337084d9e255ff0702461cf8895ce9e3b5ff108';
export const DELEGATE = '0xe6cae83bde06e4c305530e199d7217f42808555b';

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const NOTHING_DECODED: DecodedSponsored['operation'] = { sender: '', nonce: 0n, calls: [], verificationGas: 0n, callGas: 0n };
const unreadable = (reason: string): DecodedSponsored => ({
  chainId: 0,
  nonce: 0,
  maxFeeUnits: 0n,
  sponsor: '',
  operation: NOTHING_DECODED,
  operationDigestHex: '',
  operationSigner: undefined,
  authorization: null,
  effects: [],
  transfer: undefined,
  opaque: [reason],
});

/** Recovers the signer from r, s and v (27 or 28), as the account's code does. Undefined if the signature is not valid. */
function signerOf(digestHex: string, signatureHex: string): string | undefined {
  try {
    const bytes = Buffer.from(signatureHex.slice(2), 'hex');
    const signature = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact');
    if (signature.hasHighS()) return undefined;
    const point = signature.addRecoveryBit((bytes[64] ?? 0) - 27).recoverPublicKey(Buffer.from(digestHex.slice(2), 'hex'));
    return addr.fromPublicKey(point.toBytes(true));
  } catch {
    return undefined;
  }
}

function readAuthorization(one: EvmAuthorization): NonNullable<DecodedSponsored['authorization']> {
  const { nonce, yParity, r, s } = one;
  const request = { chainId: BigInt(one.chainId), address: one.address, nonce: BigInt(nonce) };
  let signer: string | undefined;
  try {
    signer = authorizations.getAuthority({ ...request, yParity, r: BigInt(r), s: BigInt(s) });
  } catch {
    signer = undefined;
  }
  return { nonce, digestHex: `0x${Buffer.from(authorizations.getHash(request)).toString('hex')}`, signer };
}

function read(bytesHex: string): DecodedSponsored {
  const { call, chainId, nonce, maxFeeUnits, opaque: before } = readCall(bytesHex);
  if (before.length > 0) return unreadable(before.join());
  const sponsored = readSponsoredCall(call.dataHex, chainId);
  if (sponsored === undefined) return unreadable('call data');
  const { operation, sponsor, signatureHex, digestHex } = sponsored;
  const opaque: string[] = [];
  if (!isSame(call.to, ENTRY_POINT)) opaque.push('entry point');
  if (call.valueUnits !== '0') opaque.push('value in addition to an operation');
  if (call.accessList.length > 0) opaque.push('access list');
  const [authorization, ...others] = call.authorizationList;
  if (call.type !== (authorization === undefined ? 2 : 4) || others.length > 0) opaque.push('transaction type');
  // An authorization for all chains is valid on other chains too. Code other than `DELEGATE` could accept signatures by a
  // different key.
  if (authorization && (authorization.chainId !== chainId || !isSame(authorization.address, DELEGATE))) opaque.push('delegate');
  const [only, ...more] = operation.calls;
  const asOne = only && more.length === 0 ? { to: only.to, value: BigInt(only.valueUnits), data: only.dataHex } : undefined;
  return {
    chainId,
    nonce,
    maxFeeUnits,
    sponsor,
    operation,
    operationDigestHex: digestHex,
    operationSigner: signerOf(digestHex, signatureHex),
    authorization: authorization === undefined ? null : readAuthorization(authorization),
    effects: operation.calls.map((one) => effectOf({ ...one, authorizationList: [] })),
    transfer: asOne && transferIn({ ...asOne, chainId: BigInt(chainId), nonce: BigInt(nonce), maxFeeUnits, opaque: [] }),
    opaque,
  };
}

/** Reads one operation for the entry point, and an optional authorization for `DELEGATE`. */
export function readSponsored(bytesHex: string): DecodedSponsored {
  try {
    return read(bytesHex);
  } catch {
    return unreadable('bytes');
  }
}
