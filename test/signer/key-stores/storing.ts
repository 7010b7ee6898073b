import { type KeyObject, sign } from 'node:crypto';
import {
  type KeyStoreChange,
  type KeyStoreEntry,
  keyStoreBytes,
  keyStoreDigest,
  type SignedKeyStoreEntry,
} from '../../../signer/key-stores/key-store-change';
import { NOW_MS, ORG, type openOperations } from '../fixtures';

type Signer = Awaited<ReturnType<typeof openOperations>>;

export const OFFLINE = 'ks-00000-00000-0000000000000001';
export const adding = (storeId = OFFLINE, name = 'Vault in the cellar'): KeyStoreChange => ({
  kind: 'Add',
  ...{ storeId, storeKind: 'OfflineSigner', name },
});

/** The text of the next entry of the organisation. */
export function entryText(signer: Signer, change: unknown, changes: Partial<KeyStoreEntry> = {}): string {
  const head = signer.stores.headOf(changes.organizationId ?? ORG);
  return JSON.stringify({
    v: 1,
    signerId: signer.health().signerId,
    organizationId: ORG,
    n: (head?.n ?? 0) + 1,
    previous: head?.digest ?? null,
    dateIssued: new Date(NOW_MS).toISOString(),
    change,
    ...changes,
  });
}

export const signedBy = (key: KeyObject, entry: string): SignedKeyStoreEntry => ({
  entry,
  signature: sign(null, keyStoreBytes(entry), key).toString('base64'),
});

export const headOf = (entry: string, n: number) => ({ orgId: ORG, n, digest: keyStoreDigest(entry) });
