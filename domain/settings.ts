import { HOUR_MS } from './durations';

const MINUTES_PER_DAY = 1_440;
const HOURS_PER_DAY = 24;
const HOURS_PER_MONTH = 720;

type Switch = { readonly default: boolean };
type Amount = { readonly default: number; readonly min: number; readonly max: number };

/**
 * The settings that an organisation can change, each with its default. Names are durable, because rows and clients contain
 * these names. The name of a period ends with its unit.
 */
export const SETTINGS = {
  /** Whether external keys may be imported. */
  keyImport: { default: false },
  /** Whether keys may be exported. Switching `keyExport` on takes effect after `keyExportWaitHours`. */
  keyExport: { default: false },
  /**
   * After `keyExport` is switched on, no key can be exported for this number of hours. During these hours, other administrators
   * can switch `keyExport` off again.
   */
  keyExportWaitHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** Whether people may assign permissions that exceed their own rights. */
  grantBeyondOwnRights: { default: false },
  /**
   * Whether a transfer needs an `externalId`. With an `externalId`, a request that is repeated after a lost response pays only
   * once (S16).
   */
  externalIdRequired: { default: false },
  /**
   * A request without an `externalId` is held as a possible duplicate if an equal payment of the wallet was requested at most
   * this many minutes before. The held request fails unless it is confirmed within the same time (S16). 0 disables the hold.
   */
  equalPaymentHoldMinutes: { default: 0, min: 0, max: 7 * MINUTES_PER_DAY },
  /** How long a session lasts after its login. */
  sessionMinutes: { default: 720, min: 5, max: 7 * MINUTES_PER_DAY },
  /** How long a recovery waits before it takes effect. During this time the recovery can be stopped. */
  recoveryWaitHours: { default: HOURS_PER_DAY, min: 0, max: 72 },
  /** How long a user may not approve after the user joins, or after the user's credentials change (S10). */
  voterCoolingHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** How long a new or changed entry of the address registry has no effect. */
  registryCoolingHours: { default: 0, min: 0, max: HOURS_PER_MONTH },
  /** Whether service accounts may vote where a policy allows it. Only the operator's command can change this setting. */
  serviceAccountsMayVote: { default: false },
  /** Whether approvers get mails: when an approval is requested, as a reminder, and when an escalation adds the approvers. */
  approvalMails: { default: true },
  /**
   * Whether the service refuses a change that would make the quorum of a group unreachable. Otherwise the service makes the
   * change with a warning.
   */
  refuseUnreachable: { default: false },
} as const satisfies Record<string, Switch | Amount>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = { readonly [N in SettingName]: (typeof SETTINGS)[N]['default'] extends boolean ? boolean : number };

/** Settings that decide who may vote. After a change of such a setting, every open activity is judged again. */
export const POLICY_SETTINGS: readonly SettingName[] = ['voterCoolingHours', 'serviceAccountsMayVote'];

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** True for a legal value of this setting. */
function fits(name: SettingName, value: unknown): boolean {
  const rule: Switch | Amount = SETTINGS[name];
  if (!('min' in rule)) return typeof value === 'boolean';
  return typeof value === 'number' && Number.isInteger(value) && value >= rule.min && value <= rule.max;
}

/** The settings in effect: the stored values, and the default for each setting that is missing or invalid. */
export function settingsOf(stored: Readonly<Record<string, unknown>>): Settings {
  const entries = NAMES.map((name) => [name, fits(name, stored[name]) ? stored[name] : SETTINGS[name].default]);
  return Object.fromEntries(entries) as Settings;
}

/** The longer period that still applies after a setting was shortened; `until` is ISO 8601. */
export type CoolingFloor = { readonly hours: number; readonly until: string };

/**
 * Settings whose shorter value does not take effect at once (S10). Each member here maps a setting to the name of its
 * `CoolingFloor` in the stored settings. No caller can set a floor.
 */
export const FLOORS = {
  voterCoolingHours: 'voterCoolingFloor',
  recoveryWaitHours: 'recoveryWaitFloor',
  registryCoolingHours: 'registryCoolingFloor',
  keyExportWaitHours: 'keyExportWaitFloor',
} as const satisfies Partial<Record<SettingName, string>>;

export type FlooredSetting = keyof typeof FLOORS;

type Stored = Readonly<Record<string, unknown>>;

/** The floor that a change creates; undefined unless the change shortens the period. */
export function coolingFloor(before: number, after: number, now: Date): CoolingFloor | undefined {
  return after < before ? { hours: before, until: hoursFrom(now, before) } : undefined;
}

/**
 * The hours in effect now. After a period was shortened, its old length applies until the old period has passed. After a period
 * was lengthened, the new length applies at once.
 */
export function hoursNow(stored: Stored, name: FlooredSetting, now: Date): number {
  const hours = settingsOf(stored)[name];
  const floor = stored[FLOORS[name]] as CoolingFloor | undefined;
  return floor && new Date(floor.until) > now ? Math.max(floor.hours, hours) : hours;
}

/**
 * The name under which the settings store the time from which keys may be exported, as ISO 8601. The time is stored when export
 * is switched on, and no caller can set the time.
 */
export const EXPORT_FROM = 'keyExportFrom';

export const hoursFrom = (now: Date, hours: number): string => new Date(now.getTime() + hours * HOUR_MS).toISOString();

/**
 * Whether keys may be exported now. If `EXPORT_FROM` is missing, an earlier release switched export on. That release had no
 * waiting time.
 */
export function mayExport(stored: Stored, now: Date): boolean {
  const from = stored[EXPORT_FROM];
  // An unreadable date compares as false, so export stays off.
  return settingsOf(stored).keyExport && (from === undefined || new Date(String(from)) <= now);
}
