import { CHARTER_OPERATION_IDS, EXPORT_WAIT_HOURS_MAX } from '../../domain/charters';
import { CHARTER_CODE, type CharterSeen } from '../../signer/wire/operator-api';

const listIn = (text: string): readonly string[] => text.split(',').map((word) => word.trim());

/** What `--members-amend` and `--no-members-amend` say: undefined without both. */
export function membersAmendOf(may = false, mayNot = false): boolean | undefined {
  if (may && mayNot) throw new Error('--members-amend and --no-members-amend exclude each other');
  return may || (mayNot ? false : undefined);
}

/** What `--mainnets` says: undefined without the option, and empty for `none`. A charter with anything but mainnets is refused. */
export function mainnetsOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? [] : listIn(text);
}

/** What `--exports` says: undefined without the option, and null for `none`. */
export function exportWaitHoursOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === 'none') return text && null;
  const hours = Number(text);
  if (/^[0-9]{1,3}$/.test(text) && hours <= EXPORT_WAIT_HOURS_MAX) return hours;
  throw new Error(`--exports must be none or the hours that an approved export waits, at most ${EXPORT_WAIT_HOURS_MAX}`);
}

/**
 * What `--seen` and `--seen-origins` say: undefined without the options, and null for `none`. Throws for an operation that no
 * charter knows and for an origin that no browser would write.
 */
export function seenOf(seen: string | undefined, origins: string | undefined): CharterSeen | null | undefined {
  if (seen === undefined && origins === undefined) return undefined;
  if (seen === undefined || (seen === 'none' && origins !== undefined))
    throw new Error('--seen-origins needs --seen with operations');
  if (seen === 'none') return null;
  const parsed = CHARTER_CODE.Seen.safeParse({
    operations: seen === 'all' ? CHARTER_OPERATION_IDS : listIn(seen),
    origins: origins === undefined ? [] : listIn(origins),
  });
  if (parsed.success) return parsed.data;
  const isOrigin = parsed.error.issues.some(({ path }) => path[0] === 'origins');
  throw new Error(
    isOrigin
      ? '--seen-origins must be origins such as https://check.example.com, separated by commas'
      : `--seen must be all, none, or some of: ${CHARTER_OPERATION_IDS.join(', ')}`,
  );
}
