import { createHash } from 'node:crypto';
import { authorization, eip191Signer } from 'micro-eth-signer';
import { decoderOf, evmDecoderOf, evmOwnTypeChainId, isUtxoTransaction, utxoDecoderOf } from '../../../chains/decoders';
import type { EvmNetwork } from '../../../chains/evm/types';
import { findEvmNetwork } from '../../../chains/networks';
import { isOffChainMessage, type SignerSwitch } from '../../../domain/signer-switches';
import type { JudgedOrder } from '../../orders/sign-once';
import { psbtDigest, signingParts } from '../../orders/sign-utxo';
import type { SignOptions } from '../../schemes/scheme';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { loggedNonce } from '../evm/logged-nonce';
import { assertIsMessage } from '../families';
import { judgePsbt } from '../judge-utxo';
import type { JudgedOrders } from '../judged-orders';
import { assertKeyRows, assertTimely } from '../order-checks';
import { requireNetwork } from '../require-network';
import type { SigningPayload } from '../signing-payload';
import { decodeEvmTransaction } from './evm-transaction';
import { assertOwnCalls, digestOfOwnAuthorization } from './smart-account';
import { judgeSolanaTransaction } from './solana-transaction';
import { hashTypedData } from './typed-data';

/** The key's scheme signs `message`; the reply contains `digestHex`. */
export type JudgedPayload = {
  readonly message: Uint8Array;
  readonly digestHex: string;
  readonly options?: SignOptions | undefined;
  /** Further messages that the key signs for the same order. */
  readonly further?: NonNullable<JudgedOrder['further']>;
  readonly needs?: SignerSwitch;
  /** The only network on which the signature can have an effect. Undefined if the content does not show the network. */
  readonly validOn?: string;
  /**
   * The network of a transaction, and the claims (such as a nonce or coins) that a signature uses up. After a signature, the
   * signer never signs different bytes for the same claims.
   */
  readonly taken?: { readonly network: string; readonly claim?: string; readonly claims?: readonly string[] };
};

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const digested = (digest: Uint8Array): JudgedPayload => ({ message: digest, digestHex: hexOf(digest) });

/** Only elements of the STARK field below 2^251 can be signed. */
const isStarkDigest = (digest: Buffer) => digest.length === 32 && (digest[0] ?? 0xff) < 0x08;

/** Refuses unknown networks (S1). */
function networkOf(chainId: bigint): EvmNetwork {
  // An authorization for chain 0 is valid on every chain (EIP-7702), including mainnets.
  if (chainId === 0n) throw new Refusal('MainnetNotAllowed');
  const network = findEvmNetwork(chainId);
  if (!network) throw new Refusal('UnknownNetwork');
  return network;
}

/**
 * A bare hash does not show its purpose, so the signer's configuration must enable hashes. Policies decide which hashes are
 * signed.
 */
function judgeHash(
  { digestHex, taprootMerkleRootHex }: Extract<SigningPayload, { kind: 'Hash' }>,
  order: JudgedOrders['signPayload'],
): JudgedPayload {
  const digest = bytesOf(digestHex);
  const { scheme, curve } = order.sealed;
  refuseUnless(scheme !== 'DH', 'PayloadNotSupported');
  refuseUnless(curve !== 'stark' || isStarkDigest(digest), 'DigestOutOfRange');
  if (taprootMerkleRootHex === undefined) return { ...digested(digest), needs: 'Hash' };
  refuseUnless(scheme === 'Schnorr', 'PayloadNotSupported');
  return { ...digested(digest), needs: 'Hash', options: { taprootMerkleRoot: bytesOf(taprootMerkleRootHex) } };
}

function judgePersonalMessage(messageHex: string, key: JudgedOrders['signPayload']['sealed']): JudgedPayload {
  assertIsMessage(key, messageHex);
  return digested(bytesOf(eip191Signer.getHash(bytesOf(messageHex))));
}

function hashed(typedData: string): ReturnType<typeof hashTypedData> {
  try {
    return hashTypedData(typedData);
  } catch {
    throw new Refusal('TypedDataNotUnderstood');
  }
}

/** Calls that are valid on every chain are also valid on mainnets, so no switch permits such calls. */
function judgeSmartAccount(
  payload: Extract<SigningPayload, { kind: 'SvcSmartAccountTransaction' }>,
  publicKeyHex: string,
): JudgedPayload {
  const { digest, chainId } = hashed(payload.typedData);
  refuseUnless(chainId !== undefined, 'ChainIdMismatch');
  const network = networkOf(chainId);
  assertOwnCalls(payload, network, publicKeyHex);
  const { authorization: asked } = payload;
  const further = asked === null ? {} : { further: [{ message: digestOfOwnAuthorization(asked, network) }] };
  return { ...digested(digest), ...further, taken: { network: network.name } };
}

function judgeTypedData(typedData: string): JudgedPayload {
  const read = hashed(typedData);
  if (read.chainId === undefined) return { ...digested(read.digest), needs: 'ChainlessTypedData' };
  return { ...digested(read.digest), validOn: networkOf(read.chainId).name };
}

function judgeAuthorization({ chainId, address, nonce }: Extract<SigningPayload, { kind: 'Eip7702' }>): JudgedPayload {
  const { name } = networkOf(BigInt(chainId));
  const request = { chainId: BigInt(chainId), address: address.toLowerCase(), nonce: BigInt(nonce) };
  return { ...digested(authorization.getHash(request)), validOn: name };
}

function judgeTransaction(bytesHex: string, publicKeyHex: string): JudgedPayload {
  const ownTypeChain = evmOwnTypeChainId(bytesHex);
  if (ownTypeChain !== undefined) return judgeOwnType(networkOf(ownTypeChain), bytesHex, publicKeyHex);
  const transaction = decodeEvmTransaction(bytesHex);
  if (!transaction) throw new Refusal('BytesNotUnderstood');
  const { chainId, nonce, maxFeeUnits, digest } = transaction;
  const network = networkOf(chainId);
  refuseUnless(maxFeeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  const claim = loggedNonce(network.name, decoderOf(network.name).addressOf(publicKeyHex), { nonce });
  return { ...digested(digest), taken: { network: network.name, claim } };
}

/** The transaction types that a network has in addition to the types of Ethereum. */
function judgeOwnType({ name, signerFeeCeilingUnits }: EvmNetwork, bytesHex: string, publicKeyHex: string): JudgedPayload {
  const decoder = evmDecoderOf(name);
  const { maxFeeUnits, opaque, ...read } = decoder.decodeCall(bytesHex);
  refuseUnless(opaque.length === 0, 'BytesNotUnderstood');
  refuseUnless(maxFeeUnits <= signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  const claim = loggedNonce(name, decoder.addressOf(publicKeyHex), read);
  return { ...digested(decoder.digestOf(bytesHex)), taken: { network: name, claim } };
}

/** A PSBT and a BIP322 message do not show on which network they are valid, so their payloads name the network. */
function judgeCoins({ bytesHex, network: name }: Extract<SigningPayload, { kind: 'Psbt' }>, publicKeyHex: string): JudgedPayload {
  const network = requireNetwork('utxo', name);
  const { digests, claims } = judgePsbt(network, bytesHex, publicKeyHex);
  const { further, ...first } = signingParts(digests);
  return {
    ...first,
    ...(further ? { further } : {}),
    digestHex: psbtDigest(bytesHex),
    taken: { network: network.name, claims },
  };
}

function judgeProof({ messageHex, network: name }: Extract<SigningPayload, { kind: 'Bip322' }>, publicKeyHex: string) {
  const network = requireNetwork('utxo', name);
  refuseUnless(network.digest === 'Segwit', 'PayloadNotSupported');
  refuseUnless(!isUtxoTransaction(messageHex), 'MessageIsTransaction');
  const digest = utxoDecoderOf(network.name).messageDigestOf(messageHex, publicKeyHex);
  return { ...signingParts([digest]), digestHex: hexOf(digest.digest), validOn: network.name };
}

/** Only keys of this form sign the payloads of EVM networks. */
const isEvmKey = ({ scheme, curve }: JudgedOrders['signPayload']['sealed']) => scheme === 'ECDSA' && curve === 'secp256k1';

function judgeForm(order: JudgedOrders['signPayload']): JudgedPayload {
  const { payload, sealed } = order;
  if (payload.kind === 'Hash') return judgeHash(payload, order);
  if (payload.kind === 'Message' && sealed.scheme === 'EdDSA') {
    // The bytes of a Solana transaction do not show their network, so they are never signed as a message (S12).
    assertIsMessage(sealed, payload.messageHex);
    const message = bytesOf(payload.messageHex);
    const signed = { message, digestHex: hexOf(createHash('sha256').update(message).digest()) };
    // Bytes without the off-chain prefix may be a transaction of a chain that this signer does not know.
    return isOffChainMessage(payload.messageHex) ? signed : { ...signed, needs: 'Hash' };
  }
  if (payload.kind === 'SolanaTransaction' && sealed.scheme === 'EdDSA' && sealed.curve === 'ed25519')
    return judgeSolanaTransaction(payload, sealed.publicKeyHex);
  const isCoinKey = sealed.curve === 'secp256k1' && (sealed.scheme === 'ECDSA' || sealed.scheme === 'Schnorr');
  if (isCoinKey && payload.kind === 'Psbt') return judgeCoins(payload, sealed.publicKeyHex);
  if (isCoinKey && payload.kind === 'Bip322') return judgeProof(payload, sealed.publicKeyHex);
  refuseUnless(isEvmKey(sealed), 'PayloadNotSupported');
  switch (payload.kind) {
    case 'Message':
    case 'Eip191':
      return judgePersonalMessage(payload.messageHex, sealed);
    case 'Eip712':
      return judgeTypedData(payload.typedData);
    case 'Eip7702':
      return judgeAuthorization(payload);
    case 'SvcSmartAccountTransaction':
      return judgeSmartAccount(payload, sealed.publicKeyHex);
    case 'EvmTransaction':
      return judgeTransaction(payload.bytesHex, sealed.publicKeyHex);
    case 'SolanaTransaction':
    case 'Psbt':
    case 'Bip322':
      throw new Refusal('PayloadNotSupported');
  }
}

/**
 * Throws a `Refusal` unless the order is timely and its key may sign the payload. Computes the digest only from the payload.
 */
export function judgePayload(order: JudgedOrders['signPayload'], nowMs: number): JudgedPayload {
  assertTimely(order, nowMs);
  assertKeyRows(order);
  const judged = judgeForm(order);
  const { taken } = judged;
  return taken === undefined ? judged : { ...judged, validOn: taken.network };
}
