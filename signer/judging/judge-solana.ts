import { solanaDecoderOf } from '../../chains/decoders';
import type { DecodedSolana, SolanaDecoder, SolanaNetwork } from '../../chains/solana/types';
import { NONCE_ACCOUNT_RENT_UNITS_MAX } from '../../domain/nonce-accounts';
import { digestOf } from '../../platform/canonical';
import { Refusal, refuseUnless } from '../wire/refusal';
import type { JudgedOrders } from './judged-orders';
import { assertKeyRows, assertTimely } from './order-checks';
import { requireNetwork } from './require-network';

function assertRows(order: JudgedOrders['signSolana'], network: SolanaNetwork, decoder: SolanaDecoder): void {
  const { sealed, intent, sponsor, walletSignatureHex } = order;
  refuseUnless(sponsor !== intent.from && (sponsor !== undefined || walletSignatureHex === undefined), 'SenderMismatch');
  refuseUnless(sealed.scheme === network.scheme && sealed.curve === network.curve, 'KeyRowMismatch');
  assertKeyRows(order);
  const signer = walletSignatureHex === undefined ? intent.from : sponsor;
  refuseUnless(decoder.addressOf(sealed.publicKeyHex) === signer, 'SenderMismatch');
}

/** Derives the token accounts from the owners, so that an order cannot substitute other accounts. */
function assertTransfer({ bytesHex, intent, sponsor }: JudgedOrders['signSolana'], decoder: SolanaDecoder): void {
  const { from, to, asset: approved, memo = null, createsDestination = false } = intent;
  const { asset, opaque, ...decoded } = decoder.decodeTransfer(bytesHex);
  refuseUnless(opaque.length === 0, 'BytesNotUnderstood');
  refuseUnless(decoded.from === from, 'SenderMismatch');
  const signers = sponsor === undefined ? [from] : [sponsor, from];
  refuseUnless(decoded.signers.join() === signers.join(), 'SenderMismatch');
  const isSame =
    asset.kind === 'Native' ? approved.kind === 'Native' : approved.kind === asset.kind && approved.contract === asset.contract;
  refuseUnless(isSame, 'AssetMismatch');
  const holderOf = (owner: string) =>
    asset.kind === 'Native' ? owner : decoder.associatedTokenAddress(owner, asset.contract, asset.kind);
  refuseUnless(decoded.source === holderOf(from), 'SenderMismatch');
  refuseUnless(decoded.destination === holderOf(to), 'RecipientMismatch');
  refuseUnless(decoded.amountUnits === BigInt(intent.amountUnits), 'AmountMismatch');
  // The bytes may lack an approved account creation, because the recipient may already have an account.
  refuseUnless(decoded.memo === memo && (createsDestination || !decoded.createsDestination), 'CallMismatch');
}

/** The digest of the approved call covers every byte except the blockhash. */
function assertCall({ bytesHex, intent }: JudgedOrders['signSolana'], decoder: SolanaDecoder): void {
  const call = decoder.callOf(bytesHex);
  if (call === undefined) throw new Refusal('BytesNotUnderstood');
  refuseUnless(digestOf(call) === intent.callDigest, 'CallMismatch');
  const { signers } = decoder.decode(bytesHex);
  refuseUnless(signers.length === 1 && signers[0] === intent.from, 'SenderMismatch');
  if (intent.nonceAccounts === undefined) return;
  const made = decoder.nonceAccountsIn(bytesHex);
  refuseUnless(made !== undefined && made.seeds.length === intent.nonceAccounts && intent.from === intent.to, 'CallMismatch');
  refuseUnless(made.dearestUnits <= NONCE_ACCOUNT_RENT_UNITS_MAX, 'AmountMismatch');
}

/** The sponsor's key signs only after the sender's key. Otherwise the sponsor's funds could pay for something else. */
function assertSignedByWallet(
  { bytesHex, walletSignatureHex, intent }: JudgedOrders['signSolana'],
  decoder: SolanaDecoder,
): void {
  if (walletSignatureHex === undefined) return;
  refuseUnless(decoder.verifies(bytesHex, walletSignatureHex, intent.from), 'SenderMismatch');
}

/**
 * Throws a `Refusal` unless the order is timely, its key belongs to the signing sender or sponsor, and its message does exactly
 * what was approved.
 */
export function judgeSolana(order: JudgedOrders['signSolana'], nowMs: number): DecodedSolana['lifetime'] {
  const network = requireNetwork('solana', order.network);
  const decoder = solanaDecoderOf(network.name);
  assertTimely(order, nowMs);
  assertRows(order, network, decoder);
  if (order.intent.callDigest === undefined) assertTransfer(order, decoder);
  else assertCall(order, decoder);
  assertSignedByWallet(order, decoder);
  const { lifetime, maxFeeUnits } = decoder.decode(order.bytesHex);
  refuseUnless(maxFeeUnits <= BigInt(order.feeCeilingUnits), 'FeeAboveApproved');
  refuseUnless(maxFeeUnits <= network.signerFeeCeilingUnits, 'FeeAboveSignerCeiling');
  const account = lifetime.kind === 'durable-nonce' ? lifetime.account : undefined;
  refuseUnless(account === order.nonceAccount, 'NonceMismatch');
  refuseUnless(lifetime.kind === 'blockhash' || lifetime.authority === order.intent.from, 'NonceMismatch');
  return lifetime;
}

/** The name under which the signing log records that one value of a durable nonce is claimed. */
export const durableClaim = (network: string, { account, value }: { readonly account: string; readonly value: string }): string =>
  `${network} durable ${account} ${value}`;
