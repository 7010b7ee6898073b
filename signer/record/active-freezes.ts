import { findNetwork } from '../../chains/networks';
import type { KeyForm } from '../../domain/keys';
import { assertTimely } from '../judging/order-checks';
import type { FreezeStanding, FrozenTarget, ReleaseFreezeOrder, SetFreezeOrder } from '../orders/freeze-orders';
import { refuseUnless } from '../wire/refusal';
import { recorded } from './evidence';
import { FREEZE_PREFIX, freezeName, type KnownFreeze } from './freeze-entries';
import type { Journal } from './journal/journal';
import { secretOf } from './key-entries';
import type { KeyLog } from './key-log';
import type { Kin } from './kinship';

/** `network` is set only for a transaction. */
export type KeyUse = {
  readonly orgId: string;
  /** Every id of the key. For an export, also every id of each key that can be derived from the exported key (`Kin`). */
  readonly keyIds: readonly string[];
  /** Every id of the keys from which this key can be derived. A freeze of such a key freezes this key too. */
  readonly masterIds: readonly string[];
  /**
   * The keys of `keyIds` and `masterIds`, identified by public key (`secretOf`), for a freeze whose key has no id in the
   * journal.
   */
  readonly secrets: { readonly keys: readonly string[]; readonly masters: readonly string[] };
  readonly form: KeyForm;
  readonly network?: string | undefined;
};

/** An export also passes the descendants, because an export reveals every key that can be derived from the exported key. */
export const useOf = (
  { same, above, secrets }: Kin,
  descendants?: ReturnType<KeyLog['descendantsOf']>,
): Pick<KeyUse, 'keyIds' | 'masterIds' | 'secrets'> => ({
  keyIds: [...same, ...(descendants?.ids ?? [])],
  masterIds: above,
  secrets: { keys: [...secrets.same, ...(descendants?.secrets ?? [])], masters: secrets.above },
});

/** The list is in the signer's own journal, so neither a restart nor write access to the database ends a freeze. */
export interface ActiveFreezes {
  readonly size: number;
  /** Throws the `Refusal` `Frozen` if a freeze covers the use. */
  assertFree(use: KeyUse): void;
  /** Takes effect with this call, and resolves once the freeze is durable. A freeze that was released stays released. */
  set(order: SetFreezeOrder): Promise<FreezeStanding>;
  /** Takes effect once the release is durable. A freeze with this id that arrives later is treated as released too. */
  release(order: ReleaseFreezeOrder): Promise<FreezeStanding>;
}

function meets(target: FrozenTarget, { orgId, keyIds, masterIds, secrets, form, network }: KeyUse): boolean {
  const frozenKey = 'publicKey' in target && target.publicKey ? secretOf({ orgId, ...target.publicKey }) : undefined;
  const isAmong = (keyId: string, ids: readonly string[], known: readonly string[]) =>
    ids.includes(keyId) || (frozenKey !== undefined && known.includes(frozenKey));
  switch (target.kind) {
    case 'Organization':
      return true;
    case 'Key':
      return isAmong(target.keyId, [...keyIds, ...masterIds], [...secrets.keys, ...secrets.masters]);
    case 'Wallet':
      return isAmong(target.keyId, keyIds, secrets.keys) && (network === undefined || network === target.network);
    case 'Network': {
      if (network !== undefined) return network === target.network;
      const frozen = findNetwork(target.network);
      // If this signer does not know the network, keys of any form may belong to it.
      return !frozen || (frozen.scheme === form.scheme && frozen.curve === form.curve);
    }
  }
}

/** Each of the two targets may lack the public key. */
function isSameTarget(one: FrozenTarget, other: FrozenTarget): boolean {
  const { publicKey: first, ...target } = { publicKey: undefined, ...one };
  const { publicKey: second, ...asked } = { publicKey: undefined, ...other };
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return isSame(target, asked) && (!first || !second || isSame(first, second));
}

/** Keeps the freezes in force in memory, because every order is compared with them. */
export async function openActiveFreezes({ index, append }: Journal, nowMs: () => number): Promise<ActiveFreezes> {
  const standing = new Map<string, Map<string, FrozenTarget>>();
  const stand = ({ orgId, freezeId, target }: KnownFreeze & { readonly target: FrozenTarget }) =>
    standing.set(orgId, (standing.get(orgId) ?? new Map<string, FrozenTarget>()).set(freezeId, target));
  const end = ({ orgId, freezeId }: KnownFreeze) => {
    standing.get(orgId)?.delete(freezeId);
    if (standing.get(orgId)?.size === 0) standing.delete(orgId);
  };
  for await (const { target, ...freeze } of index.each<KnownFreeze>(FREEZE_PREFIX)) if (target) stand({ ...freeze, target });
  const isReleased = (known: KnownFreeze | undefined) => known !== undefined && known.target === undefined;

  return {
    get size() {
      return [...standing.values()].reduce((sum, { size }) => sum + size, 0);
    },
    assertFree(use) {
      const targets = [...(standing.get(use.orgId)?.values() ?? [])];
      refuseUnless(!targets.some((target) => meets(target, use)), 'Frozen');
    },
    async set(order) {
      assertTimely(order, nowMs());
      const { orgId, freezeId, target, evidence } = order;
      const known = index.get<KnownFreeze>(freezeName(order));
      if (isReleased(known)) return { standing: false };
      refuseUnless(!known?.target || isSameTarget(known.target, target), 'RequestIdReused');
      // An older release recorded freezes without a public key. The next order adds the key; a known key is never removed.
      if (!known?.target || ('publicKey' in target && !('publicKey' in known.target))) {
        stand({ orgId, freezeId, target });
        await append({ kind: 'FreezeSet', orgId, freezeId, target }, evidence.length > 0 ? recorded(evidence) : undefined);
      }
      return { standing: true };
    },
    async release(order) {
      assertTimely(order, nowMs());
      const { orgId, freezeId, evidence } = order;
      if (!isReleased(index.get<KnownFreeze>(freezeName(order)))) {
        await append({ kind: 'FreezeReleased', orgId, freezeId }, recorded(evidence));
        end({ orgId, freezeId });
      }
      return { standing: false };
    },
  };
}
