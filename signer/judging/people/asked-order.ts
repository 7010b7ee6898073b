import type { FamilyOp } from '../../orders/families';
import type { JudgedOrders } from '../judged-orders';

type FamilyAsked = { readonly [Op in FamilyOp]: { readonly op: Op; readonly order: JudgedOrders[Op] } }[FamilyOp];
/** An order for a signature, as the worker sent it. */
export type AskedOrder = FamilyAsked | { readonly op: 'signPayload'; readonly order: JudgedOrders['signPayload'] };

export const isPayload = (asked: AskedOrder): asked is Extract<AskedOrder, { op: 'signPayload' }> => asked.op === 'signPayload';

/** Whether the amount is encrypted (ERC-7984). */
export const isConfidential = ({ order }: AskedOrder): boolean => 'encrypted' in order && order.encrypted !== undefined;

/** The address that pays the fee in place of the sender. */
export const sponsorOf = (asked: AskedOrder): string | undefined => ('sponsor' in asked.order ? asked.order.sponsor : undefined);

/** Whether the sponsor's key signs, and not the sender's. */
export function isOfSponsor({ order }: AskedOrder): boolean {
  return (
    ('part' in order && order.part === 'Transaction') || ('walletSignatureHex' in order && order.walletSignatureHex !== undefined)
  );
}

/** Whether the order moves nothing and only uses up the sender's own nonce or coins. */
export function onlyUsesUpClaims({ order }: FamilyAsked): boolean {
  const { from, to, amountUnits, ...rest } = order.intent;
  const { asset = { kind: 'Native' as const }, ...more } = { asset: undefined, ...rest };
  const isPlain = Object.values(more).every((value) => value === undefined);
  return from === to && amountUnits === '0' && asset.kind === 'Native' && isPlain;
}
