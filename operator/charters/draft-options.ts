import { CHARTER_OPERATION_IDS, EXPORT_WAIT_HOURS_MAX } from '../../domain/charters';
import { CHARTER_CODE, type CharterEndUsers, type CharterSeen } from '../../signer/wire/operator-api';

const listIn = (text: string): readonly string[] => text.split(',').map((word) => word.trim());

/** True for `--members-amend`, false for `--no-members-amend`, and undefined without these options. */
export function membersAmendOf(may = false, mayNot = false): boolean | undefined {
  if (may && mayNot) throw new Error('--members-amend and --no-members-amend exclude each other');
  return may || (mayNot ? false : undefined);
}

/** Undefined without the option, and empty for `none`. `draftCharter` refuses the name of a network that is not a mainnet. */
export function mainnetsOf(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? [] : listIn(text);
}

/** The value of `--end-users`: undefined without the option, and null for `none`. */
export function endUsersOf(text: string | undefined): CharterEndUsers | null | undefined {
  if (text === undefined || text === 'none') return text && null;
  if (text === 'test' || text === 'all') return { networks: text === 'test' ? 'Test' : 'All' };
  throw new Error('--end-users must be none, test or all');
}

/** The value of `--exports`: undefined without the option, and null for `none`. */
export function exportWaitHoursOf(text: string | undefined): number | null | undefined {
  if (text === undefined || text === 'none') return text && null;
  const hours = Number(text);
  if (/^[0-9]{1,3}$/.test(text) && hours <= EXPORT_WAIT_HOURS_MAX) return hours;
  throw new Error(`--exports must be none or the hours that an approved export waits, at most ${EXPORT_WAIT_HOURS_MAX}`);
}

/**
 * Combines `--seen` and `--seen-origins`: undefined without the options, and null for `none`. Throws for an operation that
 * charters do not support, and for an origin that is not in the format in which browsers send origins.
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
