import { evmUserEffectOf } from '../../../../chains/decoders';
import type { Effect } from '../../../../chains/types';
import type { EvmCall } from '../../../../domain/transactions';
import type { JudgedOrders } from '../../judged-orders';

type Intent = JudgedOrders['signTransfer']['intent'];

const numberOf = (asset: Effect['asset'] | Intent['asset']) => ('tokenId' in asset ? asset.tokenId : undefined);
const tokenOf = (asset: Effect['asset'] | Intent['asset']) => ('contract' in asset ? asset.contract.toLowerCase() : undefined);

/** Addresses are compared without regard to letter case, because the letter case is only a checksum. */
export function isEffectOf(
  { asset: ordered, to, amountUnits: units }: Intent,
  { asset, recipient, amountUnits }: Effect,
): boolean {
  const isSameAsset = asset.kind === ordered.kind && tokenOf(asset) === tokenOf(ordered) && numberOf(asset) === numberOf(ordered);
  return isSameAsset && recipient.toLowerCase() === to.toLowerCase() && amountUnits.toString() === units;
}

/** An authorization may give the sender other code, so the effect of a call with authorizations is unknown. */
export const effectRequested = (call: EvmCall): Effect =>
  call.authorizationList.length === 0
    ? evmUserEffectOf(call)
    : { asset: { kind: 'Call' }, recipient: call.to, amountUnits: BigInt(call.valueUnits) };
