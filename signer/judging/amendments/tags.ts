import { z } from 'zod';
import type { CharterWallet } from '../../charters/charter';
import { assertAsked, readSignedBody } from '../requests/signed-body';
import type { Amender, AskedChange } from './amender';

const Body = z.strictObject({ tags: z.array(z.string().min(1).max(100)).max(256) });
const TAGS_MAX = 256;

const walletIn = ({ charter, params: { walletId = '' } }: AskedChange): CharterWallet | undefined => charter.wallet(walletId);

/** The tags that the request adds or removes. Throws a `Refusal`. */
export function tagsChanged(asked: AskedChange, isAdding: boolean): readonly string[] {
  const present = walletIn(asked)?.tags ?? [];
  const { tags } = readSignedBody(Body, asked.action);
  return [...new Set(tags)].filter((tag) => present.includes(tag) !== isAdding);
}

/** Every policy that filters by one of the tags is treated as changed, as in the service (S3, S9). */
const changedPolicies =
  (isAdding: boolean) =>
  (asked: AskedChange): readonly string[] => {
    if (!walletIn(asked)) return [];
    const changed = tagsChanged(asked, isAdding);
    return asked.charter.content.policies
      .filter(({ filters }) => {
        const { hasAny = [], hasAll = [] } = filters?.walletTags ?? {};
        return changed.some((tag) => hasAny.includes(tag) || hasAll.includes(tag));
      })
      .map(({ id }) => id);
  };

export const tagWallet: Amender<'tagWallet'> = {
  changes(asked) {
    const wallet = walletIn(asked);
    const added = tagsChanged(asked, true);
    if (!wallet || added.length === 0) return [];
    const tags = [...wallet.tags, ...added].sort();
    assertAsked(tags.length <= TAGS_MAX);
    return [{ section: 'wallets', id: wallet.id, value: { ...wallet, tags } }];
  },
  changedPolicies: changedPolicies(true),
};

export const untagWallet: Amender<'untagWallet'> = {
  changes(asked) {
    const wallet = walletIn(asked);
    const removed = tagsChanged(asked, false);
    if (!wallet || removed.length === 0) return [];
    const tags = wallet.tags.filter((tag) => !removed.includes(tag));
    return [{ section: 'wallets', id: wallet.id, value: { ...wallet, tags } }];
  },
  changedPolicies: changedPolicies(false),
};
