import { z } from 'zod';
import { KEY_STORE_KINDS, KEY_STORE_STATES, KEY_STORES_MAX, STORE_REVIEWERS_MAX } from '../../domain/key-stores';
import type { Journal } from '../record/journal/journal';
import { storesOnRecord, WITH_KEY_STORES } from '../record/key-store-entries';
import { hex, Id } from '../wire/schemas';

/** The stores of this number of organisations always fit into one message. */
const LISTED_MAX = 40;

/** Requests the stores of each organisation with an entry, in the order of the ids. The list begins after the id `after`. */
export const ListKeyStoresQuestion = z.strictObject({ after: Id.exactOptional() });
export type ListKeyStoresQuestion = z.infer<typeof ListKeyStoresQuestion>;

/** Empty after the last organisation. */
export const KeyStoreList = z.strictObject({
  organizations: z.array(
    z.strictObject({
      orgId: Id,
      n: z.int().positive(),
      digest: hex(32),
      stores: z
        .array(
          z.strictObject({
            storeId: Id,
            kind: z.enum(KEY_STORE_KINDS),
            name: z.string(),
            state: z.enum(KEY_STORE_STATES),
            isPrimary: z.boolean(),
            reviewers: z.int().min(1).max(STORE_REVIEWERS_MAX).exactOptional(),
          }),
        )
        .max(KEY_STORES_MAX)
        .readonly(),
    }),
  ),
});
export type KeyStoreList = z.infer<typeof KeyStoreList>;

export const createReportedKeyStores = ({ index }: Pick<Journal, 'index'>) => ({
  list({ after = '' }: ListKeyStoresQuestion): KeyStoreList {
    const ids = (index.get<readonly string[]>(WITH_KEY_STORES) ?? []).filter((orgId) => orgId > after).slice(0, LISTED_MAX);
    return {
      organizations: ids.flatMap((orgId) => {
        const found = storesOnRecord(index, orgId);
        return found ? [{ orgId, ...found }] : [];
      }),
    };
  },
});
