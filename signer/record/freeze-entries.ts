import type { FrozenTarget } from '../orders/freeze-orders';
import type { Index } from './journal/index-store';

type OfFreeze = { readonly orgId: string; readonly freezeId: string };
export type FreezeSetEntry = OfFreeze & { readonly kind: 'FreezeSet'; readonly target: FrozenTarget };
export type FreezeReleasedEntry = OfFreeze & { readonly kind: 'FreezeReleased' };

/** `target` is undefined once the freeze was released. A released freeze never takes effect again under the same id. */
export type KnownFreeze = OfFreeze & { readonly target?: FrozenTarget };

export const FREEZE_PREFIX = 'freeze/';
export const freezeName = ({ orgId, freezeId }: OfFreeze) => `${FREEZE_PREFIX}${orgId}/${freezeId}`;

type Facts = Pick<Index, 'get' | 'put'>;

export function applyFreezeSet(index: Facts, { orgId, freezeId, target }: FreezeSetEntry): void {
  const name = freezeName({ orgId, freezeId });
  const known = index.get<KnownFreeze>(name);
  if (known && known.target === undefined) return;
  const standing: KnownFreeze = { orgId, freezeId, target };
  index.put(name, standing);
}

export function applyFreezeReleased(index: Facts, { orgId, freezeId }: FreezeReleasedEntry): void {
  const released: KnownFreeze = { orgId, freezeId };
  index.put(freezeName({ orgId, freezeId }), released);
}
