import { evmDecoderOf, solanaDecoderOf, utxoDecoderOf } from '../../../chains/decoders';
import { HOUR_MS } from '../../../domain/durations';
import { isAbsent, type Slot } from '../../../domain/slots';
import type { CharterWallet } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { FamilyOp, FamilyOrders } from '../../orders/families';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { refuseUnless } from '../../wire/refusal';
import { requireTestNetwork } from '../require-test-network';
import { type AskedOrder, isOfSponsor, isPayload, sponsorOf } from './asked-order';

export type Sent = NonNullable<Signed['sent']>;

/** The highest fee that the bytes allow, by the signer's decoder. */
const FEES: { readonly [Op in FamilyOp]: Slot<(order: FamilyOrders[Op]) => bigint> } = {
  signTransfer: ({ network, bytesHex }) => evmDecoderOf(requireTestNetwork('evm', network).name).decodeCall(bytesHex).maxFeeUnits,
  signSponsored: ({ network, bytesHex }) =>
    evmDecoderOf(requireTestNetwork('evm', network).name).decodeSponsored(bytesHex).maxFeeUnits,
  signUtxo: ({ network, bytesHex }) => utxoDecoderOf(requireTestNetwork('utxo', network).name).decode(bytesHex).feeUnits,
  signSolana: ({ network, bytesHex }) => solanaDecoderOf(requireTestNetwork('solana', network).name).decode(bytesHex).maxFeeUnits,
};
function feeOf<Op extends FamilyOp>({ op, order }: { readonly op: Op; readonly order: FamilyOrders[Op] }): bigint | undefined {
  const read: Slot<(order: FamilyOrders[Op]) => bigint> = FEES[op];
  return isAbsent(read) ? undefined : read(order);
}

type FamilyAsked = Exclude<AskedOrder, { readonly op: 'signPayload' }>;

/** What leaves the wallet at most, by asset. Undefined if the decoder cannot tell. */
function unitsOf(asked: FamilyAsked): Readonly<Record<string, string>> | undefined {
  const paid = sponsorOf(asked) === undefined || isOfSponsor(asked) ? feeOf(asked as never) : 0n;
  if (paid === undefined) return undefined;
  if (isOfSponsor(asked)) return { native: paid.toString() };
  const { intent } = asked.order;
  const asset = 'asset' in intent ? intent.asset : { kind: 'Native' as const };
  // The decoder reads the effect of a single call on EVM networks, and of no other raw transaction.
  if (asset.kind === 'Call' || (intent.callDigest !== undefined && asked.op !== 'signTransfer')) return undefined;
  const moved = intent.from === intent.to ? 0n : BigInt(intent.amountUnits);
  if (!('contract' in asset)) return { native: (moved + paid).toString() };
  return { native: paid.toString(), [asset.contract.toLowerCase()]: moved.toString() };
}

/** The wallet whose key signs the order; undefined if the charter does not know it. */
function walletThatSigns(charter: CharterInForce, asked: FamilyAsked): CharterWallet | undefined {
  const { keyId, network, intent } = asked.order;
  const payer = isOfSponsor(asked) ? sponsorOf(asked) : intent.from;
  return charter.walletsOfKey(keyId).find((wallet) => wallet.network === network && wallet.address === payer);
}

/**
 * Counts what a wallet of the charter sends. A wallet with limits must not sign what the signer cannot read. Throws the
 * `Refusal` `EffectUnknown`.
 */
export function sentBy(charter: CharterInForce, asked: AskedOrder, nowMs: number): Sent | undefined {
  if (isPayload(asked)) {
    const isLimited = charter.walletsOfKey(asked.order.keyId).some(({ id }) => charter.limitsOf(id).length > 0);
    refuseUnless(!isLimited, 'EffectUnknown');
    return undefined;
  }
  const wallet = walletThatSigns(charter, asked);
  if (!wallet) return undefined;
  const units = unitsOf(asked);
  refuseUnless(units !== undefined || charter.limitsOf(wallet.id).length === 0, 'EffectUnknown');
  return units && { walletId: wallet.id, hour: Math.floor(nowMs / HOUR_MS), units };
}

/**
 * Throws the `Refusal` `AboveLimit` if the order would exceed a limit of its wallet. The first hour of a window counts whole, so
 * a window is at most one hour longer than the limit says.
 */
export function assertWithinLimits(charter: CharterInForce, orgId: string, sent: Sent, log: Pick<SigningLog, 'sentUnits'>): void {
  const { walletId, hour, units } = sent;
  for (const { asset: written, hours, unitsMax } of charter.limitsOf(walletId)) {
    const asset = written.toLowerCase();
    const window = Array.from({ length: hours + 1 }, (_one, back) => hour - back);
    const sum = log.sentUnits({ orgId, walletId }, asset, window) + BigInt(units[asset] ?? 0);
    refuseUnless((units[asset] ?? '0') === '0' || sum <= BigInt(unitsMax), 'AboveLimit');
  }
}
