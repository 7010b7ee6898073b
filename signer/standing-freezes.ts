import { z } from 'zod';
import { findNetwork } from '../chains/networks';
import type { KeyForm } from '../domain/keys';
import { DurableFile, type FileOptions } from './durable-file';
import { EvidenceList } from './evidence';
import { type FreezeStanding, FrozenTarget, type ReleaseFreezeOrder, type SetFreezeOrder } from './freeze-orders';
import { assertTimely } from './order-checks';
import { refuseUnless } from './refusal';

const At = { at: z.iso.datetime(), orgId: z.string(), freezeId: z.string(), evidence: EvidenceList };
const Entry = z.union([z.strictObject({ ...At, set: FrozenTarget }), z.strictObject({ ...At, released: z.literal(true) })]);
type Change = Pick<z.infer<typeof Entry>, 'orgId' | 'freezeId'> & ({ readonly set: FrozenTarget } | { readonly released: true });

/** What an order would use. `network` is that of a transaction; of anything else nobody can tell for which one it is. */
export type Use = {
  readonly orgId: string;
  /** Every id of the key and, for an export, of the keys that its secret makes (`Kin`). */
  readonly keyIds: readonly string[];
  /** Every id of the keys that make it: frozen, they take it along. */
  readonly masterIds: readonly string[];
  readonly form: KeyForm;
  readonly network?: string | undefined;
};

/**
 * What stands still until an order releases it. It lies in the signer's own state folder, so that neither a restart nor whoever writes
 * the database lets it go.
 */
export interface StandingFreezes {
  readonly size: number;
  readonly tornBytes: number;
  /** Throws the `Refusal` `Frozen` for what is to stand still. */
  assertFree(use: Use): void;
  /** Stands from this call on; resolves once it is on the medium. A freeze that was released stays released. */
  set(order: SetFreezeOrder): Promise<FreezeStanding>;
  /** Ends once it is on the medium, also a freeze that arrives only afterwards. */
  release(order: ReleaseFreezeOrder): Promise<FreezeStanding>;
  close(): Promise<void>;
}

function meets(target: FrozenTarget, { keyIds, masterIds, form, network }: Use): boolean {
  switch (target.kind) {
    case 'Organization':
      return true;
    case 'Key':
      return keyIds.includes(target.keyId) || masterIds.includes(target.keyId);
    case 'Wallet':
      return keyIds.includes(target.keyId) && (network === undefined || network === target.network);
    case 'Network': {
      if (network !== undefined) return network === target.network;
      const frozen = findNetwork(target.network);
      // A network that this signer does not know may take keys of any form.
      return !frozen || (frozen.scheme === form.scheme && frozen.curve === form.curve);
    }
  }
}

export async function openStandingFreezes(
  path: string,
  onBroken: (cause: Error) => void,
  nowMs: () => number,
  options: FileOptions = {},
): Promise<StandingFreezes> {
  const standing = new Map<string, Map<string, FrozenTarget>>();
  const released = new Set<string>();
  /** Writes under way: who asks for the same again waits for them too. */
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
      refuseUnless(known === undefined || JSON.stringify(known) === JSON.stringify(target), 'RequestIdReused');
      if (known === undefined) {
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
