import { isDeepStrictEqual } from 'node:util';
import { authorization as authorizations } from 'micro-eth-signer';
import { decoderOf, evmSmartAccountOf, smartAccountDelegate } from '../../../chains/decoders';
import type { EvmNetwork } from '../../../chains/evm/types';
import { refuseUnless } from '../../wire/refusal';
import type { SigningPayload } from '../signing-payload';

type SmartAccountPayload = Extract<SigningPayload, { kind: 'SvcSmartAccountTransaction' }>;

/** Throws a `Refusal` unless the typed data contains exactly these calls, for the key's own account and for this network. */
export function assertOwnCalls(
  { network: name, address, calls, typedData }: SmartAccountPayload,
  network: EvmNetwork,
  publicKeyHex: string,
): void {
  refuseUnless(network.name === name, 'ChainIdMismatch');
  const read = evmSmartAccountOf(typedData);
  refuseUnless(read !== undefined, 'TypedDataNotUnderstood');
  refuseUnless(read.chainId === network.chainId, 'ChainIdMismatch');
  const own = decoderOf(network.name).addressOf(publicKeyHex);
  refuseUnless(read.address === own && address === own, 'SenderMismatch');
  refuseUnless(isDeepStrictEqual(read.calls, calls), 'CallMismatch');
}

/** The authorization (EIP-7702) must name this chain, and the contract that obeys only the account's key and the entry point. */
export function digestOfOwnAuthorization(
  { chainId, address, nonce }: NonNullable<SmartAccountPayload['authorization']>,
  network: EvmNetwork,
): Uint8Array {
  refuseUnless(chainId === network.chainId, 'ChainIdMismatch');
  refuseUnless(address === smartAccountDelegate, 'RecipientMismatch');
  return authorizations.getHash({ chainId: BigInt(chainId), address: address.toLowerCase(), nonce: BigInt(nonce) });
}
