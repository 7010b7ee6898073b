import { HOUR_MS } from './durations';

const MINUTES_PER_DAY = 1_440;
const HOURS_PER_DAY = 24;
const HOURS_PER_MONTH = 720;

type Switch = { readonly default: boolean };
type Amount = { readonly default: number; readonly min: number; readonly max: number };

/** Names are durable, because rows and clients contain these names. The name of a period ends with its unit. */
export const SETTINGS = {
  keyImport: { default: false },
  /** Switching `keyExport` on takes effect after `keyExportWaitHours`. */
  keyExport: { default: false },
  /** During these hours, other administrators can switch `keyExport` off again. */
  keyExportWaitHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** Whether people may assign permissions that exceed their own rights. */
  grantBeyondOwnRights: { default: false },
  /** Whether requests need an `externalId`, so that repeating a request after a lost response does not pay twice (S16). */
  externalIdRequired: { default: false },
  /**
   * A request without an `externalId` is held as a possible duplicate if the wallet requested an equal payment at most this
   * many minutes before. The held request fails unless a person confirms the request within the same time (S16). 0 disables the
   * hold.
   */
  equalPaymentHoldMinutes: { default: 0, min: 0, max: 7 * MINUTES_PER_DAY },
  sessionMinutes: { default: 720, min: 5, max: 7 * MINUTES_PER_DAY },
  /** During these hours a recovery can be stopped. */
  recoveryWaitHours: { default: HOURS_PER_DAY, min: 0, max: 72 },
  /** The time during which a user may not approve after joining, or after a change of the user's credentials (S10). */
  voterCoolingHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** The time after which a new or changed entry takes effect. */
  registryCoolingHours: { default: 0, min: 0, max: HOURS_PER_MONTH },
  /** Only the operator's command can change this setting. */
  serviceAccountsMayVote: { default: false },
  approvalMails: { default: true },
  /**
   * If true, the service refuses a change that would make a quorum unreachable; otherwise it makes the change and returns a
   * warning.
   */
  refuseUnreachable: { default: false },
} as const satisfies Record<string, Switch | Amount>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = { readonly [N in SettingName]: (typeof SETTINGS)[N]['default'] extends boolean ? boolean : number };

/** After a change of one of these settings, every open activity is judged again. */
export const POLICY_SETTINGS: readonly SettingName[] = ['voterCoolingHours', 'serviceAccountsMayVote'];

const NAMES = Object.keys(SETTINGS) as SettingName[];

function fits(name: SettingName, value: unknown): boolean {
  const rule: Switch | Amount = SETTINGS[name];
  if (!('min' in rule)) return typeof value === 'boolean';
  return typeof value === 'number' && Number.isInteger(value) && value >= rule.min && value <= rule.max;
}

/** A missing or invalid value becomes the default. */
export function settingsOf(stored: Readonly<Record<string, unknown>>): Settings {
  const entries = NAMES.map((name) => [name, fits(name, stored[name]) ? stored[name] : SETTINGS[name].default]);
  return Object.fromEntries(entries) as Settings;
}

/** The longer period that still applies after a setting was shortened; `until` is ISO 8601. */
export type CoolingFloor = { readonly hours: number; readonly until: string };

/**
 * Settings for which a shorter value does not take effect at once (S10), each with the stored name of its `CoolingFloor`. No
 * caller can set a floor.
 */
export const FLOORS = {
  voterCoolingHours: 'voterCoolingFloor',
  recoveryWaitHours: 'recoveryWaitFloor',
  registryCoolingHours: 'registryCoolingFloor',
  keyExportWaitHours: 'keyExportWaitFloor',
} as const satisfies Partial<Record<SettingName, string>>;

export type FlooredSetting = keyof typeof FLOORS;

type Stored = Readonly<Record<string, unknown>>;

/** Undefined unless the change shortens the period. */
export function coolingFloor(before: number, after: number, now: Date): CoolingFloor | undefined {
  return after < before ? { hours: before, until: hoursFrom(now, before) } : undefined;
}

/** After a period was shortened, its old length applies until the old period has passed. */
export function hoursNow(stored: Stored, name: FlooredSetting, now: Date): number {
  const hours = settingsOf(stored)[name];
  const floor = stored[FLOORS[name]] as CoolingFloor | undefined;
  return floor && new Date(floor.until) > now ? Math.max(floor.hours, hours) : hours;
}

/** The stored time from which keys may be exported, as ISO 8601. No caller can set the time. */
export const EXPORT_FROM = 'keyExportFrom';

export const hoursFrom = (now: Date, hours: number): string => new Date(now.getTime() + hours * HOUR_MS).toISOString();

/** If `EXPORT_FROM` is missing, export was switched on by an earlier release that had no waiting time. */
export function mayExport(stored: Stored, now: Date): boolean {
  const from = stored[EXPORT_FROM];
  // An unreadable date compares as false, so export stays off.
  return settingsOf(stored).keyExport && (from === undefined || new Date(String(from)) <= now);
}
