import {
  applyKeyStoreChanged,
  type KeyStoreChangedEntry,
  type KeyStoresOnRecord,
  storesOnRecord,
} from '../record/key-store-entries';
import { readJournal } from '../record/read-journal';
import { StartError } from '../start-error';

const KIND = 'KeyStoreChanged' satisfies KeyStoreChangedEntry['kind'];
const MARK = `"kind":"${KIND}"`;

/**
 * Returns the stores of each organisation with an entry. The conditions of `readJournal` apply. Throws a `StartError` if there is
 * no journal.
 */
export async function readRecordedKeyStores(stateDir: string): Promise<ReadonlyMap<string, KeyStoresOnRecord>> {
  const names = new Map<string, unknown>();
  const index = {
    get: <T>(name: string) => names.get(name) as T | undefined,
    put: (name: string, value: unknown) => void names.set(name, value),
  };
  const found = new Map<string, KeyStoresOnRecord>();
  const hasJournal = await readJournal(stateDir, (json) => {
    // Other entries are not parsed, because a journal can have millions of them.
    if (!json.includes(MARK)) return;
    const entry = JSON.parse(json) as KeyStoreChangedEntry;
    if (entry.kind !== KIND) return;
    applyKeyStoreChanged(index, entry);
    const stores = storesOnRecord(index, entry.orgId);
    if (stores) found.set(entry.orgId, stores);
  });
  if (!hasJournal) throw new StartError(`${stateDir} has no journal of a signer`);
  return found;
}
