import { solanaDecoderOf } from '../../../chains/decoders';
import { Refusal } from '../../wire/refusal';
import type { JudgedOrders } from '../judged-orders';
import { requireNetwork } from '../require-network';
import type { SigningPayload } from '../signing-payload';
import { assertTypedData } from './assert-typed-data';
import { assertEvmBytes, assertOnChain, assertOwnAccount, assertSameAuthorization } from './evm/payload-requested';
import type { WrittenTransaction } from './evm/request-terms';
import { bytesWritten } from './evm/written-members';
import { RequestedSignature, WalletSignature } from './signature-body';
import { assertAsked, assertIntentId, readSignedBody, type SignedRequest } from './signed-body';
import { bareMessageOf, bytesOfText, isMessageOf } from './solana-text';
import { psbtWritten } from './utxo-requested';

type Body<K extends RequestedSignature['kind']> = Extract<RequestedSignature, { kind: K }>;
type Payload<K extends SigningPayload['kind']> = Extract<SigningPayload, { kind: K }>;
type Asking = {
  readonly payload: SigningPayload;
  readonly publicKeyHex: string;
  /** True if the path names a wallet, whose network the caller compares. False for a key, which has no network. */
  readonly isOfWallet: boolean;
};

function ofKind<K extends SigningPayload['kind']>(kind: K, payload: SigningPayload): Payload<K> {
  const isOfKind = (one: SigningPayload): one is Payload<K> => one.kind === kind;
  if (isOfKind(payload)) return payload;
  throw new Refusal('RequestMismatch');
}

/** For bytes that do not specify a network. If the path names a wallet, the body need not name the network either. */
function assertOnNetwork(ordered: string, named: string | undefined, isOfWallet: boolean): void {
  assertAsked(named === undefined ? isOfWallet : named === ordered);
}

function assertHash({ hash, taprootMerkleRoot: root }: Body<'Hash'>, payload: Payload<'Hash'>): void {
  assertAsked(payload.digestHex === bytesWritten(hash));
  assertAsked(payload.taprootMerkleRootHex === (root === undefined ? undefined : bytesWritten(root)));
}

/** 0x-hex stands for bytes and anything else for text. Other hexadecimal digits are ambiguous, so the service refuses them. */
function personalBytes(message: string): string {
  if (/^0x(?:[0-9a-f]{2})*$/i.test(message)) return bytesWritten(message.toLowerCase());
  assertAsked(!/^(?:0x)?[0-9a-f]+$/i.test(message));
  return `0x${Buffer.from(message, 'utf8').toString('hex')}`;
}

function assertSolanaText(transaction: WrittenTransaction, { bytesHex, network }: Payload<'SolanaTransaction'>): void {
  assertAsked(typeof transaction === 'string');
  const bytes = bytesOfText(transaction);
  const decoder = solanaDecoderOf(requireNetwork('solana', network).name);
  assertAsked(bytesHex === (isMessageOf(decoder, bytes) ? bytes : bareMessageOf(bytes, 'AnySigned')));
}

function assertTransaction({ transaction, network }: Body<'Transaction'>, { payload, publicKeyHex, isOfWallet }: Asking): void {
  if (payload.kind === 'SolanaTransaction') {
    assertOnNetwork(payload.network, network, isOfWallet);
    assertSolanaText(transaction, payload);
    return;
  }
  const { bytesHex } = ofKind('EvmTransaction', payload);
  assertEvmBytes(bytesHex, publicKeyHex, { transaction, network, isOfWallet });
}

function assertPsbt({ psbt, network }: Body<'Psbt'>, payload: Payload<'Psbt'>, isOfWallet: boolean): void {
  assertOnNetwork(payload.network, network, isOfWallet);
  assertAsked(payload.bytesHex === psbtWritten(psbt));
}

function assertProof(body: Body<'Bip322'>, payload: Payload<'Bip322'>, isOfWallet: boolean): void {
  assertOnNetwork(payload.network, body.network, isOfWallet);
  assertAsked(payload.messageHex === bytesWritten(body.message) && payload.format === (body.format ?? 'Simple'));
}

function assertPayload(body: RequestedSignature, asking: Asking): void {
  const { payload, isOfWallet } = asking;
  switch (body.kind) {
    case 'Hash':
      assertHash(body, ofKind(body.kind, payload));
      break;
    case 'Message':
      assertAsked(ofKind(body.kind, payload).messageHex === bytesWritten(body.message));
      break;
    case 'Eip191':
      assertAsked(ofKind(body.kind, payload).messageHex === personalBytes(body.message));
      break;
    case 'Eip712':
      assertOnChain(body.network, body.domain.chainId);
      assertTypedData(ofKind(body.kind, payload).typedData, body);
      break;
    case 'Eip7702':
      assertOnChain(body.network, body.chainId);
      assertSameAuthorization(ofKind(body.kind, payload), body);
      break;
    case 'Transaction':
      assertTransaction(body, asking);
      break;
    case 'Psbt':
      assertPsbt(body, ofKind(body.kind, payload), isOfWallet);
      break;
    case 'Bip322':
      assertProof(body, ofKind(body.kind, payload), isOfWallet);
      break;
    case 'SvcSmartAccountTransaction':
      assertOwnAccount(ofKind(body.kind, payload), body);
      break;
  }
}

/** A request for a signature never has a sponsor. */
export function assertSignatureRequested(
  { payload, intentId, sealed }: JudgedOrders['signPayload'],
  request: SignedRequest,
): null {
  const isOfWallet = request.cause === 'walletsGenerateSignature';
  assertAsked(isOfWallet || request.cause === 'keysGenerateSignature');
  const body = isOfWallet ? readSignedBody(WalletSignature, request) : readSignedBody(RequestedSignature, request);
  assertPayload(body, { payload, publicKeyHex: sealed.publicKeyHex, isOfWallet });
  assertIntentId(intentId, 'signature', body.externalId);
  return null;
}
