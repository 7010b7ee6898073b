import { z } from 'zod';
import { findNetwork } from '../../chains/networks';
import type { KeyForm } from '../../domain/keys';
import { assertTimely } from '../judging/order-checks';
import { type FreezeStanding, FrozenTarget, type ReleaseFreezeOrder, type SetFreezeOrder } from '../orders/freeze-orders';
import { refuseUnless } from '../wire/refusal';
import { DurableFile, type FileOptions } from './durable-file';
import { EvidenceList } from './evidence';
import { type Kin, secretOf } from './kinship';

const At = { at: z.iso.datetime(), orgId: z.string(), freezeId: z.string(), evidence: EvidenceList };
const Entry = z.union([z.strictObject({ ...At, set: FrozenTarget }), z.strictObject({ ...At, released: z.literal(true) })]);
type Change = Pick<z.infer<typeof Entry>, 'orgId' | 'freezeId'> & ({ readonly set: FrozenTarget } | { readonly released: true });

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

/** An export also passes `below`, because an export reveals every key that can be derived from the exported key. */
export const useOf = (
  kin: Kin,
  used: readonly ('same' | 'below')[] = ['same'],
): Pick<KeyUse, 'keyIds' | 'masterIds' | 'secrets'> => ({
  keyIds: used.flatMap((which) => kin[which]),
  masterIds: kin.above,
  secrets: { keys: used.flatMap((which) => kin.secrets[which]), masters: kin.secrets.above },
});

/** The list is in the signer's own state folder, so neither a restart nor write access to the database ends a freeze. */
export interface ActiveFreezes {
  readonly size: number;
  readonly tornBytes: number;
  /** Throws the `Refusal` `Frozen` if a freeze covers the use. */
  assertFree(use: KeyUse): void;
  /** Takes effect with this call, and resolves once the freeze is durable. A freeze that was released stays released. */
  set(order: SetFreezeOrder): Promise<FreezeStanding>;
  /** Takes effect once the release is durable. A freeze with this id that arrives later counts as released too. */
  release(order: ReleaseFreezeOrder): Promise<FreezeStanding>;
  close(): Promise<void>;
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
      // A network that this signer does not know may use keys of any form.
      return !frozen || (frozen.scheme === form.scheme && frozen.curve === form.curve);
    }
  }
}

/** Either order may lack the public key. */
function isSameTarget(one: FrozenTarget, other: FrozenTarget): boolean {
  const { publicKey: first, ...target } = { publicKey: undefined, ...one };
  const { publicKey: second, ...asked } = { publicKey: undefined, ...other };
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return isSame(target, asked) && (!first || !second || isSame(first, second));
}

export async function openActiveFreezes(
  path: string,
  onBroken: (cause: Error) => void,
  nowMs: () => number,
  options: FileOptions = {},
): Promise<ActiveFreezes> {
  const standing = new Map<string, Map<string, FrozenTarget>>();
  const released = new Set<string>();
  /** A repeated order waits for the write of the first order. */
  const writing = new Map<string, Promise<void>>();
  const nameOf = ({ orgId, freezeId }: Pick<Change, 'orgId' | 'freezeId'>) => `${orgId} ${freezeId}`;

  const index = (change: Change) => {
    const { orgId, freezeId } = change;
    const ofOrganisation = standing.get(orgId) ?? new Map<string, FrozenTarget>();
    if ('set' in change) {
      if (released.has(nameOf(change))) return;
      ofOrganisation.set(freezeId, change.set);
    } else {
      released.add(nameOf(change));
      ofOrganisation.delete(freezeId);
    }
    if (ofOrganisation.size > 0) standing.set(orgId, ofOrganisation);
    else standing.delete(orgId);
  };
  const file = await DurableFile.open(path, (entry) => index(Entry.parse(entry)), onBroken, options);

  const write = async (name: string, entry: unknown): Promise<void> => {
    const durable = file.append(entry);
    writing.set(name, durable);
    await durable;
    writing.delete(name);
  };

  return {
    get size() {
      return [...standing.values()].reduce((sum, { size }) => sum + size, 0);
    },
    tornBytes: file.tornBytes,
    assertFree(use) {
      const targets = [...(standing.get(use.orgId)?.values() ?? [])];
      refuseUnless(!targets.some((target) => meets(target, use)), 'Frozen');
    },
    async set(order) {
      assertTimely(order, nowMs());
      const { orgId, freezeId, target, evidence } = order;
      if (released.has(nameOf(order))) return { standing: false };
      const known = standing.get(orgId)?.get(freezeId);
      refuseUnless(known === undefined || isSameTarget(known, target), 'RequestIdReused');
      // An earlier version recorded freezes without a public key. The next order adds the key; a known key is never removed.
      if (known === undefined || ('publicKey' in target && !('publicKey' in known))) {
        const change = { orgId, freezeId, set: target };
        index(change);
        await write(nameOf(order), { at: new Date(nowMs()).toISOString(), ...change, evidence });
      } else await writing.get(nameOf(order));
      return { standing: true };
    },
    async release(order) {
      assertTimely(order, nowMs());
      const { orgId, freezeId, evidence } = order;
      if (!released.has(nameOf(order))) {
        const change = { orgId, freezeId, released: true } as const;
        await write(nameOf(order), { at: new Date(nowMs()).toISOString(), ...change, evidence });
        index(change);
      }
      return { standing: false };
    },
    close: () => file.close(),
  };
}
