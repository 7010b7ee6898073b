import { type AdoptedCharter, CHARTERED, charterName, charterTextName } from '../record/charter-entries';
import type { Journal } from '../record/journal/journal';
import type { CharterList, CharterPart, ListChartersQuestion, ReadCharterOrder } from './read-charter-order';

/** JSON may escape each character as six characters, and the reply must fit into one message. */
const PART_CHARS_MAX = 128 * 1024;
const LISTED_MAX = 1_000;

/** The signer's replies to the service about the charters in force. */
export function createReportedCharters({ index }: Pick<Journal, 'index'>) {
  const standing = (orgId: string) => index.get<AdoptedCharter>(charterName(orgId));
  return {
    part({ orgId, offset }: ReadCharterOrder): CharterPart {
      const found = standing(orgId);
      const text = index.get<string>(charterTextName(orgId));
      if (!found || text === undefined) return { charter: null };
      return { charter: { ...found, chars: text.length, part: text.slice(offset, offset + PART_CHARS_MAX) } };
    },
    list({ after = '' }: ListChartersQuestion): CharterList {
      const ids = (index.get<readonly string[]>(CHARTERED) ?? []).filter((orgId) => orgId > after).slice(0, LISTED_MAX);
      return {
        charters: ids.flatMap((orgId) => {
          const found = standing(orgId);
          return found ? [{ orgId, ...found }] : [];
        }),
      };
    },
  };
}
