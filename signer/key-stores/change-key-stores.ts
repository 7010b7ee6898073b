import type { KeyObject } from 'node:crypto';
import { IS_ADDED, KEY_STORES_MAX, type KeyStoreFacts } from '../../domain/key-stores';
import { during } from '../../platform/points';
import type { Journal } from '../record/journal/journal';
import type { KeyStoresHead } from '../record/key-store-entries';
import type { KeyStores } from '../record/key-stores';
import { Refusal, refuseUnless } from '../wire/refusal';
import {
  isKeyStoreEntrySignedBy,
  type KeyStoreChange,
  keyStoreDigest,
  readKeyStoreEntry,
  type SignedKeyStoreEntry,
} from './key-store-change';

export interface KeyStoreChanges {
  /**
   * Changes the organisation's stores, and resolves once the change is durable. The last entry may be offered again. Throws a
   * `Refusal`.
   */
  changeKeyStores(signed: SignedKeyStoreEntry): Promise<KeyStoresHead & { readonly orgId: string }>;
}

type Parts = {
  readonly journal: Pick<Journal, 'append'>;
  readonly stores: KeyStores;
  readonly signerId: string;
  /** Without this key, the signer does not accept an entry, but the entries on record stay in force. */
  readonly operatorKey: KeyObject | undefined;
  readonly nowMs: () => number;
};

export function createKeyStoreChanges({ journal, stores, signerId, operatorKey, nowMs }: Parts): KeyStoreChanges {
  return {
    async changeKeyStores(signed) {
      refuseUnless(operatorKey !== undefined && isKeyStoreEntrySignedBy(operatorKey, signed), 'KeyStoreNotSigned');
      const entry = readKeyStoreEntry(signed.entry);
      if (!entry) throw new Refusal('KeyStoreMalformed');
      refuseUnless(entry.signerId === signerId, 'KeyStoreOfAnotherSigner');
      const { organizationId: orgId, n, previous, change } = entry;
      const digest = keyStoreDigest(signed.entry);
      return during('changeKeyStores', { orgId }, async () => {
        const head = stores.headOf(orgId);
        if (head?.digest === digest) return { orgId, ...head };
        refuseUnless(n === (head?.n ?? 0) + 1 && previous === (head?.digest ?? null), 'KeyStoreNotNext');
        judge(stores, orgId, change);
        await journal.append({
          kind: 'KeyStoreChanged',
          orgId,
          n,
          digest,
          dateRecorded: new Date(nowMs()).toISOString(),
          ...signed,
        });
        return { orgId, n, digest };
      });
    },
  };
}

type Judge = (stores: KeyStores, orgId: string, store: KeyStoreFacts) => void;
const isPresent: Judge = (_stores, _orgId, { state }) => refuseUnless(state !== 'Removed', 'KeyStoreUnknown');
/** The software store has no ceremonies. */
const isOffline: Judge = (_stores, _orgId, { kind }) => refuseUnless(IS_ADDED[kind], 'KeyStoreUnknown');
const isActive: Judge = (_stores, _orgId, { state }) => refuseUnless(state === 'Active', 'KeyStoreNotActive');
const isNotPrimary: Judge = (_stores, _orgId, { isPrimary }) => refuseUnless(!isPrimary, 'KeyStoreIsPrimary');

/** The conditions of each change of a known store, in order. A store stays the primary one until another one takes its place. */
const CONDITIONS: Readonly<Record<Exclude<KeyStoreChange['kind'], 'Add'>, readonly Judge[]>> = {
  Name: [isPresent],
  SetReviewers: [isPresent, isOffline],
  MakePrimary: [isPresent, isActive],
  Drain: [isPresent, isActive, isNotPrimary],
  Remove: [isPresent, isNotPrimary, (stores, orgId, store) => refuseUnless(!stores.hasKeys(orgId, store), 'KeyStoreHasKeys')],
};

/** Throws a `Refusal` unless the change fits the stores of the organisation. */
function judge(stores: KeyStores, orgId: string, change: KeyStoreChange): void {
  const store = stores.find(orgId, change.storeId);
  if (change.kind === 'Add') {
    refuseUnless(store === undefined, 'KeyStoreExists');
    refuseUnless(stores.list(orgId).length < KEY_STORES_MAX, 'KeyStoresTooMany');
    return;
  }
  if (!store) throw new Refusal('KeyStoreUnknown');
  for (const condition of CONDITIONS[change.kind]) condition(stores, orgId, store);
}
