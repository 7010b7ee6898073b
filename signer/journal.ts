import { z } from 'zod';
import { DurableFile } from './durable-file';
import { CreatedKey, type DekRow } from './protocol';

const Entry = z.strictObject({ at: z.iso.datetime(), created: CreatedKey });

/**
 * Every key ever made, sealed, on the signer's own medium. A key is answered only after it stands here, so that an address
 * that was shown can be restored although the database lost its row.
 */
export interface KeyJournal {
  readonly size: number;
  readonly tornBytes: number;
  find(keyId: string): CreatedKey | undefined;
  /** The data key that the organisation's newest key lies under. */
  findDek(orgId: string): DekRow | undefined;
  /** Resolves once the key is on the medium. */
  record(created: CreatedKey): Promise<void>;
  close(): Promise<void>;
}

export async function openKeyJournal(path: string, onBroken: (cause: Error) => void): Promise<KeyJournal> {
  const byKey = new Map<string, CreatedKey>();
  const dekByOrg = new Map<string, DekRow>();
  const index = (created: CreatedKey) => {
    byKey.set(created.sealed.keyId, created);
    dekByOrg.set(created.sealed.orgId, created.dek);
  };
  const file = await DurableFile.open(path, (entry) => index(Entry.parse(entry).created), onBroken);

  return {
    get size() {
      return byKey.size;
    },
    tornBytes: file.tornBytes,
    find: (keyId) => byKey.get(keyId),
    findDek: (orgId) => dekByOrg.get(orgId),
    async record(created) {
      await file.append({ at: new Date().toISOString(), created });
      index(created);
    },
    close: () => file.close(),
  };
}
