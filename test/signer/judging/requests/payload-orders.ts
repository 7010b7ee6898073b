import { ed25519 } from '@noble/curves/ed25519.js';
import { payloadToSign } from '../../../../activities/signatures/evm/filling';
import { SignatureBody, WalletSignatureBody } from '../../../../application/bodies/signatures';
import { namedNetwork, preparePayload } from '../../../../application/signatures/payloads';
import { evmCodecOf } from '../../../../chains/codecs';
import type { KeyForm } from '../../../../domain/keys';
import type { NetworkName } from '../../../../domain/networks';
import type { OpenTransaction } from '../../../../domain/signatures';
import { KeyEntity } from '../../../../entities/keys/key.entity';
import type { SigningPayload } from '../../../../signer/judging/signing-payload';
import type { SignPayloadOrder } from '../../../../signer/protocol';
import { COMPRESSED, X_ONLY } from '../../../chains/utxo/coins';
import { keyRows } from './requested-orders';

type Key = KeyForm & { readonly publicKey: string };
const ED25519 = Buffer.from(ed25519.getPublicKey(new Uint8Array(32).fill(1))).toString('hex');
export const ECDSA_KEY: Key = { scheme: 'ECDSA', curve: 'secp256k1', publicKey: COMPRESSED };
export const SCHNORR_KEY: Key = { scheme: 'Schnorr', curve: 'secp256k1', publicKey: X_ONLY };
export const EDDSA_KEY: Key = { scheme: 'EdDSA', curve: 'ed25519', publicKey: ED25519 };

const ANY_NETWORK = () => true;
export const NONCE = 4;

/** The payload in which the service has filled in what the request leaves open. */
function filled(open: OpenTransaction): SigningPayload {
  const { terms, network } = open;
  const nonce = terms.nonce ?? NONCE;
  const price = BigInt(terms.maxFeePerGas ?? 3_000_000_000);
  const tip = terms.call.type < 2 ? price : BigInt(terms.maxPriorityFeePerGas ?? 1);
  const fees = { gas: BigInt(terms.gas ?? 60_000), maxFeePerGas: price, maxPriorityFeePerGas: tip };
  const filledHex = evmCodecOf(network).buildCall(terms.call, nonce, fees).bytesHex;
  return payloadToSign({ payload: open, filledHex, nonce });
}

type Body = Readonly<Record<string, unknown>>;

/** The order that the service makes of the body. On the path of a wallet, the network is that of the wallet. */
export function payloadOrder(key: Key, body: Body, walletNetwork?: NetworkName): SignPayloadOrder {
  const request = walletNetwork === undefined ? SignatureBody.parse(body) : WalletSignatureBody.parse(body);
  const network = walletNetwork ?? request.network;
  const entity = Object.assign(new KeyEntity(), key);
  const named = namedNetwork({ ...request, ...(network === undefined ? {} : { network }) }, key, ANY_NETWORK);
  const { payload } = preparePayload(entity, request, named, ANY_NETWORK);
  return {
    requestId: 'sg-1',
    ...(request.externalId === undefined ? {} : { intentId: `signature:${request.externalId}` }),
    ...keyRows(key.publicKey, { scheme: key.scheme, curve: key.curve }),
    payload: payload.kind === 'OpenEvmTransaction' ? filled(payload) : payload,
    ...{ evidence: [], policyEpoch: 3 },
  };
}
