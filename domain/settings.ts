import { HOUR_MS } from './durations';

const MINUTES_PER_DAY = 1_440;
const HOURS_PER_DAY = 24;
const HOURS_PER_MONTH = 720;

type Switch = { readonly default: boolean };
type Amount = { readonly default: number; readonly min: number; readonly max: number };

/**
 * The decisions that an organisation may make about itself, each with its default. Durable names: rows and clients hold them. The last part
 * of a name is its unit.
 */
export const SETTINGS = {
  /** Whether external keys may be imported. */
  keyImport: { default: false },
  /** Whether keys may be exported. Switching it on takes effect after `keyExportWaitHours`. */
  keyExport: { default: false },
  /** How long after export is switched on no key can be exported yet, so that other administrators can switch it off again. */
  keyExportWaitHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** Whether people may give permissions with more rights than they have themselves. */
  grantBeyondOwnRights: { default: false },
  /** Whether a transfer needs an `externalId`, so that a request that is sent again after a lost response pays once (S16). */
  externalIdRequired: { default: false },
  /**
   * How long a request without an `externalId` waits for confirmation if the wallet was asked for an equal payment within this many minutes
   * before (S16). 0 holds nothing.
   */
  equalPaymentHoldMinutes: { default: 0, min: 0, max: 7 * MINUTES_PER_DAY },
  /** How long a session lasts after its login. */
  sessionMinutes: { default: 720, min: 5, max: 7 * MINUTES_PER_DAY },
  /** How long a recovery waits, during which it can be stopped. */
  recoveryWaitHours: { default: HOURS_PER_DAY, min: 0, max: 72 },
  /** How long a new user, or one whose credentials changed, may not approve (S10). */
  voterCoolingHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** How long a new or changed entry of the address registry has no effect. */
  registryCoolingHours: { default: 0, min: 0, max: HOURS_PER_MONTH },
  /** Whether service accounts may vote where a policy lets them; only the operator's command changes it. */
  serviceAccountsMayVote: { default: false },
  /** Whether approvers are notified by mail of pending approvals, of reminders and of escalations. */
  approvalMails: { default: true },
  /** Whether a change is refused that would leave some approval unreachable; otherwise it is made with a warning. */
  refuseUnreachable: { default: false },
} as const satisfies Record<string, Switch | Amount>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = { readonly [N in SettingName]: (typeof SETTINGS)[N]['default'] extends boolean ? boolean : number };

/** Settings that decide who may vote: after a change of one, every open activity is judged again. */
export const POLICY_SETTINGS: readonly SettingName[] = ['voterCoolingHours', 'serviceAccountsMayVote'];

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** True for a legal value of this setting. */
function fits(name: SettingName, value: unknown): boolean {
  const rule: Switch | Amount = SETTINGS[name];
  if (!('min' in rule)) return typeof value === 'boolean';
  return typeof value === 'number' && Number.isInteger(value) && value >= rule.min && value <= rule.max;
}

/** The settings in effect: stored values, or the default for one that is missing or unusable. */
export function settingsOf(stored: Readonly<Record<string, unknown>>): Settings {
  const entries = NAMES.map((name) => [name, fits(name, stored[name]) ? stored[name] : SETTINGS[name].default]);
  return Object.fromEntries(entries) as Settings;
}

/** A shortened cooling period stays at its old length until that is over, as ISO 8601. */
export type CoolingFloor = { readonly hours: number; readonly until: string };

/**
 * Settings that cannot be shortened and used within the same minute (S10), each with the name under which its `CoolingFloor` is stored
 * among the settings. No caller can set a floor.
 */
export const FLOORS = {
  voterCoolingHours: 'voterCoolingFloor',
  recoveryWaitHours: 'recoveryWaitFloor',
  registryCoolingHours: 'registryCoolingFloor',
  keyExportWaitHours: 'keyExportWaitFloor',
} as const satisfies Partial<Record<SettingName, string>>;

export type FlooredSetting = keyof typeof FLOORS;

type Stored = Readonly<Record<string, unknown>>;

/** The remainder of the longer period that a shorter one replaces. */
export function coolingFloor(before: number, after: number, now: Date): CoolingFloor | undefined {
  return after < before ? { hours: before, until: hoursFrom(now, before) } : undefined;
}

/** The hours in effect now: a shortened period keeps its old length until that has passed, a longer one applies at once. */
export function hoursNow(stored: Stored, name: FlooredSetting, now: Date): number {
  const hours = settingsOf(stored)[name];
  const floor = stored[FLOORS[name]] as CoolingFloor | undefined;
  return floor && new Date(floor.until) > now ? Math.max(floor.hours, hours) : hours;
}

/** When keys may be exported, as ISO 8601; stored among the settings when export is switched on, and no caller can set it. */
export const EXPORT_FROM = 'keyExportFrom';

export const hoursFrom = (now: Date, hours: number): string => new Date(now.getTime() + hours * HOUR_MS).toISOString();

/** Whether keys may be exported now. Organisations that switched export on before this wait existed have no date. */
export function mayExport(stored: Stored, now: Date): boolean {
  const from = stored[EXPORT_FROM];
  // An unreadable date is later than every other.
  return settingsOf(stored).keyExport && (from === undefined || new Date(String(from)) <= now);
}
