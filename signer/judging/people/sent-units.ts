import { solanaDecoderOf, utxoDecoderOf } from '../../../chains/decoders';
import { HOUR_MS } from '../../../domain/durations';
import { isAbsent, type Slot } from '../../../domain/slots';
import type { CharterWallet } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { FamilyOp } from '../../orders/families';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { refuseUnless } from '../../wire/refusal';
import { sponsoredFee, transferFee } from '../evm/fee-units';
import type { JudgedOrders } from '../judged-orders';
import { requireNetwork } from '../require-network';
import { type AskedOrder, isOfSponsor, isPayload, sponsorOf } from './asked-order';

export type Sent = NonNullable<Signed['sent']>;
type Units = Readonly<Record<string, bigint>>;

/**
 * The highest fee that the bytes allow according to the signer's decoder, for each asset in which the network may take the fee.
 */
const FEES: { readonly [Op in FamilyOp]: Slot<(order: JudgedOrders[Op]) => Units> } = {
  signTransfer: transferFee,
  signSponsored: sponsoredFee,
  signUtxo: ({ network, bytesHex }) => ({
    native: utxoDecoderOf(requireNetwork('utxo', network).name).decode(bytesHex).feeUnits,
  }),
  signSolana: ({ network, bytesHex }) => ({
    native: solanaDecoderOf(requireNetwork('solana', network).name).decode(bytesHex).maxFeeUnits,
  }),
};
function feeOf<Op extends FamilyOp>({ op, order }: { readonly op: Op; readonly order: JudgedOrders[Op] }): Units | undefined {
  const read: Slot<(order: JudgedOrders[Op]) => Units> = FEES[op];
  return isAbsent(read) ? undefined : read(order);
}

type FamilyAsked = Exclude<AskedOrder, { readonly op: 'signPayload' }>;

/** The letter case of an EVM address is only a checksum. */
const isSameAddress = (one: string, other: string | undefined): boolean =>
  one === other || (one.startsWith('0x') && one.toLowerCase() === other?.toLowerCase());

/** The most that can leave the wallet, by asset. Undefined if the decoder cannot determine the amounts. */
function unitsOf(asked: FamilyAsked, isRepetition: boolean): Units | undefined {
  const paid = sponsorOf(asked) === undefined || isOfSponsor(asked) ? feeOf(asked as never) : {};
  // The chain executes a payment at most once, even if several orders repeat it, so the amount is counted once. The fee may have
  // grown.
  if (paid === undefined || isRepetition || isOfSponsor(asked)) return paid;
  const { intent } = asked.order;
  const asset = 'asset' in intent ? intent.asset : { kind: 'Native' as const };
  // The decoder reads the effect of a single call on EVM networks, but not of any other raw transaction.
  if (asset.kind === 'Call' || (intent.callDigest !== undefined && asked.op !== 'signTransfer')) return undefined;
  const moved = isSameAddress(intent.from, intent.to) ? 0n : BigInt(intent.amountUnits);
  const name = 'contract' in asset ? asset.contract.toLowerCase() : 'native';
  return { ...paid, [name]: (paid[name] ?? 0n) + moved };
}

/** The wallet whose key signs the order; undefined if the charter does not contain it. */
export function walletThatSigns(charter: CharterInForce, asked: FamilyAsked): CharterWallet | undefined {
  const { keyId, network, intent } = asked.order;
  const payer = isOfSponsor(asked) ? sponsorOf(asked) : intent.from;
  return charter.walletsOfKey(keyId).find((wallet) => wallet.network === network && isSameAddress(wallet.address, payer));
}

type Counting = { readonly isRepetition: boolean; readonly nowMs: number; readonly log: Pick<SigningLog, 'latestHour'> };

/**
 * Counts the amounts that a wallet of the charter sends. Throws the `Refusal` `EffectUnknown` if the wallet has limits and the
 * signer cannot determine the amounts.
 */
export function sentBy(charter: CharterInForce, asked: AskedOrder, { isRepetition, nowMs, log }: Counting): Sent | undefined {
  const { orgId, keyId } = asked.order;
  const wallet = isPayload(asked) ? undefined : walletThatSigns(charter, asked);
  const units = isPayload(asked) || !wallet ? undefined : unitsOf(asked, isRepetition);
  if (!wallet || !units) {
    refuseUnless(!charter.walletsOfKey(keyId).some(({ id }) => charter.limitsOf(id).length > 0), 'EffectUnknown');
    return undefined;
  }
  const walletId = wallet.id;
  // If the clock was set back, a window that ends earlier would not contain the amounts that the wallet has sent.
  const hour = Math.max(Math.floor(nowMs / HOUR_MS), log.latestHour({ orgId, walletId }) ?? 0);
  return { walletId, hour, units: Object.fromEntries(Object.entries(units).map(([asset, sum]) => [asset, sum.toString()])) };
}

/**
 * Throws the `Refusal` `AboveLimit` if the order would exceed a limit of its wallet. The first hour of a window is included in
 * full, so a window can be up to one hour longer than the limit states.
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
