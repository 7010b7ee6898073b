import { createHash } from 'node:crypto';
import { authorization, eip191Signer } from 'micro-eth-signer';
import { decoderOf, evmDecoderOf, evmOwnTypeChainId, isUtxoTransaction, utxoDecoderOf } from '../../../chains/decoders';
import type { EvmNetwork } from '../../../chains/evm/types';
import { findEvmNetwork } from '../../../chains/networks';
import { isOffChainMessage, type SignerSwitch } from '../../../domain/signer-switches';
import type { JudgedOrder } from '../../orders/sign-once';
import { psbtDigest, signingParts } from '../../orders/sign-utxo';
import type { SignPayloadOrder } from '../../protocol';
import type { SignOptions } from '../../schemes/scheme';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { loggedNonce } from '../evm/logged-nonce';
import { assertIsMessage } from '../families';
import { judgePsbt } from '../judge-utxo';
import { assertKeyRows, assertTimely } from '../order-checks';
import { requireTestNetwork } from '../require-test-network';
import type { SigningPayload } from '../signing-payload';
import { decodeEvmTransaction } from './evm-transaction';
import { assertOwnCalls, digestOfOwnAuthorization } from './smart-account';
import { judgeSolanaTransaction } from './solana-transaction';
import { hashTypedData } from './typed-data';

/** What is signed: `message` goes to the scheme, `digestHex` into the answer. */
export type JudgedPayload = {
  readonly message: Uint8Array;
  readonly digestHex: string;
  readonly options?: SignOptions | undefined;
  /** What else is signed with it. */
  readonly further?: NonNullable<JudgedOrder['further']>;
  /** Which switch of the configuration has to be on for it. */
  readonly needs?: SignerSwitch;
  /** Where a transaction goes, and what a signature over it takes, so that no other bytes are signed for it. */
  readonly taken?: { readonly network: string; readonly claim?: string; readonly claims?: readonly string[] };
};

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const hexOf = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
const digested = (digest: Uint8Array): JudgedPayload => ({ message: digest, digestHex: hexOf(digest) });

/** Elements of the STARK field that can be signed lie below 2^251. */
const isStarkDigest = (digest: Buffer) => digest.length === 32 && (digest[0] ?? 0xff) < 0x08;

/** As for a transfer: what names a network that is not known to be a test network is not signed (S1). */
function testNetworkOf(chainId: bigint): EvmNetwork {
  const network = findEvmNetwork(chainId);
  // An authorization for chain 0 is good on every chain (EIP-7702), mainnets among them.
  if (network?.isMainnet || chainId === 0n) throw new Refusal('MainnetNotAllowed');
  if (!network) throw new Refusal('UnknownNetwork');
  return network;
}

/** Nothing says what a bare hash is good for, so the configuration has to allow any at all. Which ones is the policies' affair. */
function judgeHash(
  { digestHex, taprootMerkleRootHex }: Extract<SigningPayload, { kind: 'Hash' }>,
  order: SignPayloadOrder,
): JudgedPayload {
  const digest = bytesOf(digestHex);
  const { scheme, curve } = order.sealed;
  refuseUnless(scheme !== 'DH', 'PayloadNotSupported');
  refuseUnless(curve !== 'stark' || isStarkDigest(digest), 'DigestOutOfRange');
  if (taprootMerkleRootHex === undefined) return { ...digested(digest), needs: 'Hash' };
  refuseUnless(scheme === 'Schnorr', 'PayloadNotSupported');
  return { ...digested(digest), needs: 'Hash', options: { taprootMerkleRoot: bytesOf(taprootMerkleRootHex) } };
}

function judgePersonalMessage(messageHex: string, key: SignPayloadOrder['sealed']): JudgedPayload {
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

/** Whatever is switched on: calls that are good on every chain are good on mainnets. */
function judgeSmartAccount(
  payload: Extract<SigningPayload, { kind: 'SvcSmartAccountTransaction' }>,
  publicKeyHex: string,
): JudgedPayload {
  const { digest, chainId } = hashed(payload.typedData);
  refuseUnless(chainId !== undefined, 'ChainIdMismatch');
  const network = testNetworkOf(chainId);
  assertOwnCalls(payload, network, publicKeyHex);
  const { authorization: asked } = payload;
  const further = asked === null ? {} : { further: [{ message: digestOfOwnAuthorization(asked, network) }] };
  return { ...digested(digest), ...further, taken: { network: network.name } };
}

function judgeTypedData(typedData: string): JudgedPayload {
  const read = hashed(typedData);
  if (read.chainId === undefined) return { ...digested(read.digest), needs: 'ChainlessTypedData' };
  testNetworkOf(read.chainId);
  return digested(read.digest);
}

function judgeAuthorization({ chainId, address, nonce }: Extract<SigningPayload, { kind: 'Eip7702' }>): JudgedPayload {
  testNetworkOf(BigInt(chainId));
  const request = { chainId: BigInt(chainId), address: address.toLowerCase(), nonce: BigInt(nonce) };
  return digested(authorization.getHash(request));
}

function judgeTransaction(bytesHex: string, publicKeyHex: string): JudgedPayload {
  const ownTypeChain = evmOwnTypeChainId(bytesHex);
  if (ownTypeChain !== undefined) return judgeOwnType(testNetworkOf(ownTypeChain), bytesHex, publicKeyHex);
  const transaction = decodeEvmTransaction(bytesHex);
  if (!transaction) throw new Refusal('BytesNotUnderstood');
  const { chainId, nonce, maxFeeUnits, digest } = transaction;
  const network = testNetworkOf(chainId);
  refuseUnless(maxFeeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  const claim = loggedNonce(network.name, decoderOf(network.name).addressOf(publicKeyHex), { nonce });
  return { ...digested(digest), taken: { network: network.name, claim } };
}

/** The same for the types that a network has besides Ethereum's. */
function judgeOwnType({ name, signerFeeCeilingUnits }: EvmNetwork, bytesHex: string, publicKeyHex: string): JudgedPayload {
  const decoder = evmDecoderOf(name);
  const { maxFeeUnits, opaque, ...read } = decoder.decodeCall(bytesHex);
  refuseUnless(opaque.length === 0, 'BytesNotUnderstood');
  refuseUnless(maxFeeUnits <= signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  const claim = loggedNonce(name, decoder.addressOf(publicKeyHex), read);
  return { ...digested(decoder.digestOf(bytesHex)), taken: { network: name, claim } };
}

/** Both kinds name their network: nothing in the bytes says on which of them they are good. */
function judgeCoins({ bytesHex, network: name }: Extract<SigningPayload, { kind: 'Psbt' }>, publicKeyHex: string): JudgedPayload {
  const network = requireTestNetwork('utxo', name);
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
  const network = requireTestNetwork('utxo', name);
  refuseUnless(network.digest === 'Segwit', 'PayloadNotSupported');
  refuseUnless(!isUtxoTransaction(messageHex), 'MessageIsTransaction');
  const digest = utxoDecoderOf(network.name).messageDigestOf(messageHex, publicKeyHex);
  return { ...signingParts([digest]), digestHex: hexOf(digest.digest) };
}

/** What the kinds of one family of chains are for: keys of another form cannot sign on them. */
const isEvmKey = ({ scheme, curve }: SignPayloadOrder['sealed']) => scheme === 'ECDSA' && curve === 'secp256k1';

function judgeForm(order: SignPayloadOrder): JudgedPayload {
  const { payload, sealed } = order;
  if (payload.kind === 'Hash') return judgeHash(payload, order);
  if (payload.kind === 'Message' && sealed.scheme === 'EdDSA') {
    // Nothing in a message of Solana says on which of its networks it is good (S12).
    assertIsMessage(sealed, payload.messageHex);
    const message = bytesOf(payload.messageHex);
    const signed = { message, digestHex: hexOf(createHash('sha256').update(message).digest()) };
    // Signed as they are, bytes may be a transaction of a chain that nobody here knows.
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

/** Throws a `Refusal` unless the payload may be signed by the named key, now. The digest is computed here, from the payload alone. */
export function judgePayload(order: SignPayloadOrder, nowMs: number): JudgedPayload {
  assertTimely(order, nowMs);
  assertKeyRows(order);
  return judgeForm(order);
}
