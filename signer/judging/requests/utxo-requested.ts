import { z } from 'zod';
import { utxoDecoderOf } from '../../../chains/decoders';
import type { UtxoNetwork } from '../../../chains/utxo/types';
import { prefixed } from '../../../domain/hex';
import { RAW_PSBT_BYTES_MAX } from '../../../domain/transfers';
import { digestOf } from '../../../platform/canonical';
import { Refusal } from '../../wire/refusal';
import type { JudgedOrders } from '../judged-orders';
import { requireNetwork } from '../require-network';
import {
  assertAsked,
  assertIntentId,
  PositiveUnits,
  RequestExternalId,
  readSignedBody,
  type SignedRequest,
  WRITTEN_TRANSFER,
} from './signed-body';

export const WrittenPsbt = z
  .string()
  .max(2 + 2 * RAW_PSBT_BYTES_MAX)
  .regex(/^(?:0x)?[0-9a-fA-F]+$/);

const Transfer = z.strictObject({
  kind: z.literal('Native'),
  ...WRITTEN_TRANSFER,
  amount: PositiveUnits,
});
const Broadcast = z.strictObject({ kind: z.literal('Psbt'), psbt: WrittenPsbt, externalId: RequestExternalId });

export const psbtWritten = (psbt: string): string => prefixed(psbt);

/**
 * In BIP173 and CashAddr the letter case has no meaning, and the canonical address is in lower case. Such an address may also be
 * written wholly in upper case, and a CashAddr address may lack its prefix.
 */
function isAddressWritten(text: string, address: string, { hrp, cashPrefix }: UtxoNetwork): boolean {
  if (text === address) return true;
  const lower = text.toLowerCase();
  if (text !== text.toUpperCase() && text !== lower) return false;
  if (cashPrefix !== undefined) return address === lower || address === `${cashPrefix}:${lower}`;
  return hrp !== undefined && address.startsWith(`${hrp}1`) && address === lower;
}

function assertPsbt({ intent, network, sealed, intentId }: JudgedOrders['signUtxo'], request: SignedRequest): void {
  const body = readSignedBody(Broadcast, request);
  const psbtHex = psbtWritten(body.psbt);
  assertAsked(digestOf({ psbtHex }) === intent.callDigest);
  const { name } = requireNetwork('utxo', network);
  const { recipients, amountUnits } = utxoDecoderOf(name).effectOf(psbtHex, { publicKeyHex: sealed.publicKeyHex });
  assertAsked(intent.to === (recipients[0] ?? intent.from) && intent.amountUnits === amountUnits.toString());
  assertIntentId(intentId, 'transaction', body.externalId);
}

function assertPayment({ intent, network, intentId }: JudgedOrders['signUtxo'], request: SignedRequest): void {
  const body = readSignedBody(Transfer, request);
  assertAsked(intent.callDigest === undefined && intent.amountUnits === body.amount);
  assertAsked(isAddressWritten(body.to, intent.to, requireNetwork('utxo', network)));
  assertIntentId(intentId, 'transfer', body.externalId);
}

/**
 * The order may replace another order, because the coins of a dropped transaction are free again. Returns null, because this
 * family has no sponsors.
 */
export function assertUtxoRequested(order: JudgedOrders['signUtxo'], request: SignedRequest): null {
  if (request.cause === 'transferAsset') assertPayment(order, request);
  else if (request.cause === 'broadcastTransaction') assertPsbt(order, request);
  else throw new Refusal('RequestMismatch');
  return null;
}
