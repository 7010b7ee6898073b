import { z } from 'zod';
import { solanaDecoderOf } from '../../../chains/decoders';
import type { SolanaDecoder } from '../../../chains/solana/types';
import { NONCE_ACCOUNTS_AT_ONCE_MAX, nonceSeedsOf } from '../../../domain/nonce-accounts';
import { contractOf } from '../../../domain/transfers';
import { digestOf } from '../../../platform/canonical';
import { Refusal } from '../../wire/refusal';
import { isForDevice, type JudgedOrders } from '../judged-orders';
import { requireNetwork } from '../require-network';
import {
  assertAsked,
  assertIntentId,
  FreePriority,
  PositiveUnits,
  RequestExternalId,
  readSignedBody,
  type SignedRequest,
  SponsorId,
  WRITTEN_TRANSFER,
  WrittenAddress,
} from './signed-body';
import { bareMessageOf, bytesOfText, isMessageOf } from './solana-text';

const MOVED = {
  ...WRITTEN_TRANSFER,
  amount: PositiveUnits,
  memo: z.string().min(1).max(64).optional(),
  createDestinationAccount: z.boolean().optional(),
  useDurableNonce: z.boolean().optional(),
  feeSponsorId: SponsorId.optional(),
};
const Transfer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Native'), ...MOVED }),
  z.strictObject({ kind: z.enum(['Spl', 'Spl2022']), mint: WrittenAddress, ...MOVED }),
]);
const Broadcast = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('Transaction'),
    transaction: z.string().min(2).max(65_536),
    externalId: RequestExternalId,
  }),
  z.strictObject({
    kind: z.literal('CreateSolanaNonceAccounts'),
    nonceAuthority: WrittenAddress.optional(),
    count: z.int().min(1).max(NONCE_ACCOUNTS_AT_ONCE_MAX).optional(),
    priority: FreePriority,
    externalId: RequestExternalId,
  }),
]);

function assertTransfer(order: JudgedOrders['signSolana'], request: SignedRequest): string | null {
  const body = readSignedBody(Transfer, request);
  const { intent, nonceAccount, sponsor } = order;
  const { asset } = intent;
  assertAsked(intent.callDigest === undefined && intent.nonceAccounts === undefined);
  assertAsked(asset.kind === body.kind && ('contract' in asset ? asset.contract : null) === ('mint' in body ? body.mint : null));
  assertAsked(intent.to === body.to && intent.amountUnits === body.amount && intent.memo === body.memo);
  assertAsked((intent.createsDestination ?? false) === (body.createDestinationAccount ?? false));
  // A device signs only under a durable nonce, so the service chooses one if the body leaves the choice open.
  const isDurable = body.useDurableNonce ?? (isForDevice(order) && nonceAccount !== undefined);
  assertAsked((nonceAccount !== undefined) === isDurable);
  assertAsked((sponsor !== undefined) === (body.feeSponsorId !== undefined));
  assertIntentId(order.intentId, 'transfer', body.externalId);
  return body.feeSponsorId ?? null;
}

/** A requested blockhash bounds the life of the transaction, so no other blockhash may take its place. */
function assertLifetime(
  { bytesHex, nonceAccount }: JudgedOrders['signSolana'],
  messageHex: string,
  decoder: SolanaDecoder,
): void {
  const [asked, ordered] = [decoder.decode(messageHex).lifetime, decoder.decode(bytesHex).lifetime];
  assertAsked(nonceAccount === (asked.kind === 'blockhash' ? undefined : asked.account));
  if (asked.kind === 'durable-nonce' || /^1+$/.test(asked.blockhash)) return;
  assertAsked(ordered.kind === 'blockhash' && ordered.blockhash === asked.blockhash);
}

function assertRaw(order: JudgedOrders['signSolana'], text: string, decoder: SolanaDecoder): void {
  const { intent } = order;
  const bytes = bytesOfText(text);
  const messageHex = isMessageOf(decoder, bytes) ? bytes : bareMessageOf(bytes, 'Unsigned');
  const call = decoder.callOf(messageHex);
  assertAsked(call !== undefined && digestOf(call) === intent.callDigest && intent.nonceAccounts === undefined);
  const { asset, recipient, amountUnits } = decoder.effectOf(messageHex);
  const contract = asset.kind === 'Call' ? null : contractOf(asset);
  assertAsked(intent.asset.kind === asset.kind && ('contract' in intent.asset ? intent.asset.contract : null) === contract);
  assertAsked(intent.to === recipient && intent.amountUnits === amountUnits.toString());
  assertLifetime(order, messageHex, decoder);
}

/**
 * The service reads the rent, the price and the unused seeds from the chain. The body fixes everything else that the bytes may
 * do.
 */
function assertCreation(
  { intent, nonceAccount, bytesHex }: JudgedOrders['signSolana'],
  { count = 1, nonceAuthority = intent.from }: { count?: number | undefined; nonceAuthority?: string | undefined },
  decoder: SolanaDecoder,
): void {
  const made = decoder.nonceAccountsIn(bytesHex);
  assertAsked(made !== undefined && made.owner === intent.from && made.seeds.length === count);
  assertAsked(made.authority === nonceAuthority);
  const seeds = nonceSeedsOf(intent.from, nonceAuthority);
  assertAsked(made.seeds.every((seed) => seeds.includes(seed)));
  assertAsked(intent.nonceAccounts === count && nonceAccount === undefined && intent.callDigest !== undefined);
  assertAsked(intent.asset.kind === 'Call' && intent.to === intent.from && intent.amountUnits === '0');
}

/** No sponsor pays for a raw transaction. */
function assertTransaction(order: JudgedOrders['signSolana'], request: SignedRequest, decoder: SolanaDecoder): null {
  const body = readSignedBody(Broadcast, request);
  const { sponsor, intent, intentId } = order;
  assertAsked(sponsor === undefined && intent.memo === undefined && !intent.createsDestination);
  if (body.kind === 'Transaction') assertRaw(order, body.transaction, decoder);
  else assertCreation(order, body, decoder);
  assertIntentId(intentId, 'transaction', body.externalId);
  return null;
}

/** A body never requests a replacement, so an order with `replaces` is refused. Returns the sponsor that the body names. */
export function assertSolanaRequested(order: JudgedOrders['signSolana'], request: SignedRequest): string | null {
  const { name } = requireNetwork('solana', order.network);
  assertAsked(order.replaces === undefined);
  if (request.cause === 'transferAsset') return assertTransfer(order, request);
  if (request.cause === 'broadcastTransaction') return assertTransaction(order, request, solanaDecoderOf(name));
  throw new Refusal('RequestMismatch');
}
