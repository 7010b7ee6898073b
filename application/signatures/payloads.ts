import { codecOf, evmPayloads } from '../../chains/codecs';
import type { EvmNetwork, TransactionInput } from '../../chains/evm/types';
import { inFamily } from '../../chains/families';
import { findEvmNetwork, findNetwork, isFormOf } from '../../chains/networks';
import type { Network } from '../../chains/types';
import { prefixed } from '../../domain/hex';
import type { KeyForm } from '../../domain/keys';
import { isKeyNetwork, type NetworkName } from '../../domain/networks';
import type { RequestedPayload, SignaturePayload } from '../../domain/signatures';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { addressAt, badField } from '../request-faults';
import { familyMeant, prepareTransaction, signsTransactions, whyNoMessage } from './families';
import { prepareSmartAccount, type SmartAccountBody } from './smart-account';
import { assertCoinKind, COIN_KINDS, type CoinBody, prepareProof, preparePsbt } from './utxo';

type Common = {
  readonly network?: string | undefined;
  readonly blockchainKind?: string | undefined;
  readonly externalId?: string | undefined;
};

/** The content to be signed. The prefix 0x of hexadecimal digits is optional. */
export type SignatureBody = Common &
  (
    | { readonly kind: 'Hash'; readonly hash: string; readonly taprootMerkleRoot?: string | undefined }
    | { readonly kind: 'Message'; readonly message: string }
    | { readonly kind: 'Eip191'; readonly message: string }
    | {
        readonly kind: 'Eip712';
        readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
        readonly domain: Readonly<Record<string, unknown>>;
        readonly message: Readonly<Record<string, unknown>>;
      }
    | { readonly kind: 'Eip7702'; readonly address: string; readonly nonce: number; readonly chainId: number }
    | { readonly kind: 'Transaction'; readonly transaction: string | TransactionInput }
    | SmartAccountBody
    | CoinBody
  );

/**
 * `claim` is the sender's nonce and the highest amounts that the transaction may take from the sender's balance. `nonce` is null
 * if the service chooses the nonce later, or if the network has no such nonce. A transaction of the Bitcoin family claims the
 * coins that its bytes list.
 */
export type Prepared = {
  readonly payload: RequestedPayload;
  readonly claim: {
    readonly network: NetworkName;
    readonly address: string;
    readonly nonce: number | null;
    readonly nativeUnits: string;
    readonly contract: string | null;
    readonly tokenUnits: string;
  } | null;
};

const STARK_DIGEST_MAX = 2n ** 251n;
const MESSAGE_BYTES_MAX = 32 * 1024;
const TYPED_DATA_BYTES_MAX = 64 * 1024;
const EVM_KINDS: readonly string[] = ['Eip191', 'Eip712', 'Eip7702', 'SvcSmartAccountTransaction'];

const isEvmKey = ({ scheme, curve }: KeyForm) => scheme === 'ECDSA' && curve === 'secp256k1';

type SignsFor = (name: NetworkName) => boolean;

function assertSignsFor({ name, isMainnet }: Network, path: string, signsFor: SignsFor): void {
  if (signsFor(name)) return;
  const reason = isMainnet ? ', or is a mainnet that the charter of the organisation does not name' : '';
  throw badField(path, `${name} is not enabled on this service${reason}`, 'NetworkNotEnabled');
}

/** Refuses unknown chains (S1), and chains for which this deployment does not sign. */
function networkOfChain(path: string, chainId: number, signsFor: SignsFor): EvmNetwork {
  const network = findEvmNetwork(chainId);
  if (!network) throw badField(path, `no network with chain id ${chainId} is known here`, 'NetworkNotEnabled');
  assertSignsFor(network, path, signsFor);
  return network;
}

function recordNamed(name: SignatureBody['network'], signsFor: SignsFor): Network | undefined {
  if (name === undefined || isKeyNetwork(name)) return undefined;
  const network = findNetwork(name);
  if (!network) throw badField('network', `${name} is not supported yet`, 'NetworkNotEnabled');
  assertSignsFor(network, 'network', signsFor);
  return network;
}

/**
 * Undefined if the request does not specify a network, or specifies one of `KEY_NETWORKS`. Throws for a network on which this
 * key cannot sign.
 */
export function namedNetwork(body: SignatureBody, key: KeyForm, signsFor: SignsFor): Network | undefined {
  const { network: name, blockchainKind } = body;
  if (COIN_KINDS.includes(body.kind)) return assertCoinKind(body, key, recordNamed(name, signsFor));
  const meant = familyMeant(body, key);
  if (meant?.namedNetwork) return meant.namedNetwork(body, key, () => recordNamed(name, signsFor));
  if (blockchainKind !== undefined && meant === undefined) throw badField('blockchainKind', 'is not supported yet');
  if (body.kind === 'Transaction' && !signsTransactions(key))
    throw badField('kind', 'needs a key of ECDSA on secp256k1, or of EdDSA on ed25519');
  if (EVM_KINDS.includes(body.kind) && !isEvmKey(key)) throw badField('kind', `needs a key of ECDSA on secp256k1`);
  if (blockchainKind !== undefined && !isEvmKey(key)) throw badField('blockchainKind', 'needs a key of ECDSA on secp256k1');
  const network = recordNamed(name, signsFor);
  if (!network) return undefined;
  if (!isFormOf(network, key)) throw badField('network', `needs a key of ${network.scheme} on ${network.curve}`);
  return network;
}

function hashOf(key: KeyForm, { hash, taprootMerkleRoot }: Extract<SignatureBody, { kind: 'Hash' }>): SignaturePayload {
  if (key.scheme === 'DH') throw badField('kind', 'a DH key derives and does not sign');
  const digestHex = prefixed(hash);
  if (key.curve === 'stark' && BigInt(digestHex) >= STARK_DIGEST_MAX)
    throw badField('hash', 'must be below 2^251 for the STARK curve');
  if (taprootMerkleRoot === undefined) return { kind: 'Hash', digestHex };
  if (key.scheme !== 'Schnorr') throw badField('taprootMerkleRoot', 'needs a Schnorr key');
  return { kind: 'Hash', digestHex, taprootMerkleRootHex: prefixed(taprootMerkleRoot) };
}

function messageOf(key: KeyForm, bytes: Buffer): string {
  if (bytes.length > MESSAGE_BYTES_MAX) throw badField('message', `must be at most ${MESSAGE_BYTES_MAX} bytes`);
  const messageHex = `0x${bytes.toString('hex')}`;
  const fault = whyNoMessage(key, messageHex);
  if (fault !== undefined) throw badField('message', fault);
  return messageHex;
}

/**
 * Reads 0x-hex as bytes and anything else as text. Refuses hex digits without 0x, and an odd number of hex digits after 0x,
 * because libraries disagree about how to read such text.
 */
function personalBytes(message: string): Buffer {
  if (/^0x(?:[0-9a-f]{2})*$/i.test(message)) return Buffer.from(message.slice(2), 'hex');
  if (/^(?:0x)?[0-9a-f]+$/i.test(message))
    throw badField('message', 'is ambiguous: write bytes with 0x and two digits each, or use the kind Message');
  return Buffer.from(message, 'utf8');
}

type TypedDataBody = Pick<Extract<SignatureBody, { kind: 'Eip712' }>, 'types' | 'domain' | 'message'>;

/** Undefined for a domain that is valid on every chain. A network in the request must be the network of the domain. */
function networkOfDomain(
  { domain }: TypedDataBody,
  path: string,
  network: Network | undefined,
  signsFor: SignsFor,
): EvmNetwork | undefined {
  const chainId = domain['chainId'];
  if (chainId === undefined) return undefined;
  const number = Number(chainId);
  if (!Number.isSafeInteger(number) || String(chainId).trim() === '') throw badField(path, 'must be a whole number');
  const own = networkOfChain(path, number, signsFor);
  if (network && own.name !== network.name)
    throw badField(path, `must be ${inFamily('evm', network).chainId}, the chain of ${network.name}`);
  return own;
}

/** Typed data as JSON text. `at` is the path of the typed data in the body with a trailing dot; empty for the body itself. */
function typedDataOf({ types, domain, message }: TypedDataBody, at: '' | 'structured.message.'): string {
  const text = evmPayloads.completeTypedData({ types, domain, message }, at === '' ? 'body' : 'body.structured.message');
  if (Buffer.byteLength(text) <= TYPED_DATA_BYTES_MAX) return text;
  throw badField(`${at}message`, `must be at most ${TYPED_DATA_BYTES_MAX} bytes with its types`);
}

function smartAccountOf(key: KeyEntity, body: SmartAccountBody, named: Network | undefined, signsFor: SignsFor): Prepared {
  const { message } = body.structured;
  const path = 'structured.message.domain.chainId';
  const network = networkOfDomain(message, path, named, signsFor);
  if (!network) throw badField(path, 'is required: without it the calls could be made on every chain');
  return prepareSmartAccount(key, body, { network, typedData: typedDataOf(message, 'structured.message.') });
}

/** Finds the network by the chain id in the transaction, for a request that does not specify a network. */
function networkOfTransaction(transaction: string | TransactionInput, signsFor: SignsFor): EvmNetwork {
  const chainId =
    typeof transaction === 'string' ? evmPayloads.chainIdIn(transaction) : Number(transaction.chainId ?? Number.NaN);
  if (chainId !== undefined && !Number.isNaN(chainId)) return networkOfChain('transaction', chainId, signsFor);
  throw badField('transaction', 'is not a serialized transaction, or names no chain');
}

/** Converts the content to an order for the signer. Every fault is a 400 with the path of the faulty member. */
export function preparePayload(key: KeyEntity, body: SignatureBody, network: Network | undefined, signsFor: SignsFor): Prepared {
  const plain = (payload: SignaturePayload): Prepared => ({ payload, claim: null });
  switch (body.kind) {
    case 'Hash':
      return plain(hashOf(key, body));
    case 'Message': {
      if (!isEvmKey(key) && key.scheme !== 'EdDSA')
        throw badField('kind', `a ${key.scheme} key on ${key.curve} signs only a Hash`);
      return plain({ kind: 'Message', messageHex: messageOf(key, Buffer.from(prefixed(body.message).slice(2), 'hex')) });
    }
    case 'Eip191': {
      return plain({ kind: 'Eip191', messageHex: messageOf(key, personalBytes(body.message)) });
    }
    case 'Eip712':
      networkOfDomain(body, 'domain.chainId', network, signsFor);
      return plain({ kind: 'Eip712', typedData: typedDataOf(body, '') });
    case 'Eip7702': {
      const { name, chainId } = networkOfChain('chainId', body.chainId, signsFor);
      if (network && network.name !== name)
        throw badField('chainId', `must be ${inFamily('evm', network).chainId}, the chain of ${network.name}`);
      const address = addressAt(
        'address',
        () => codecOf(name).parseAddress(`0x${body.address.replace(/^0x/, '')}`),
        'InvalidRequest',
      );
      return plain({ kind: 'Eip7702', chainId, address, nonce: body.nonce });
    }
    case 'Transaction':
      return prepareTransaction(key, body.transaction, network ?? networkOfTransaction(body.transaction, signsFor));
    case 'SvcSmartAccountTransaction':
      return smartAccountOf(key, body, network, signsFor);
    case 'Psbt':
      return preparePsbt(key, body.psbt, network);
    case 'Bip322':
      return prepareProof(body, messageOf(key, Buffer.from(prefixed(body.message).slice(2), 'hex')), network);
  }
}
