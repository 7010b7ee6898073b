import { HOUR_MS } from './durations';

const MINUTES_PER_DAY = 1_440;
const HOURS_PER_DAY = 24;
const HOURS_PER_MONTH = 720;

type Switch = { readonly default: boolean };
type Amount = { readonly default: number; readonly min: number; readonly max: number };

/**
 * What an organisation may decide about itself, each with what counts until it does. Durable names: rows and clients hold
 * them. The last part of a name is its unit.
 */
export const SETTINGS = {
  /** Whether keys from elsewhere may come in. */
  keyImport: { default: false },
  /** Whether keys may leave. Switching it on takes effect after `keyExportWaitHours`. */
  keyExport: { default: false },
  /** How long after export was switched on no key leaves yet, so that other administrators can switch it off again. */
  keyExportWaitHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** Whether people may give permissions with more rights than they have themselves. */
  grantBeyondOwnRights: { default: false },
  /** Whether a transfer needs an `externalId`, so that a request that is sent again after a lost answer pays once (S16). */
  externalIdRequired: { default: false },
  /**
   * For how long a request without an `externalId` is kept for somebody to confirm when the wallet was asked to pay the same within as many
   * minutes before (S16). 0 keeps nothing.
   */
  equalPaymentHoldMinutes: { default: 0, min: 0, max: 7 * MINUTES_PER_DAY },
  /** How long a session lasts after its login. */
  sessionMinutes: { default: 720, min: 5, max: 7 * MINUTES_PER_DAY },
  /** How long a recovery waits in which it can be stopped. */
  recoveryWaitHours: { default: HOURS_PER_DAY, min: 0, max: 72 },
  /** How long a new user, and one whose credentials changed, may not approve (S10). */
  voterCoolingHours: { default: HOURS_PER_DAY, min: 0, max: HOURS_PER_MONTH },
  /** How long a new or changed entry of the address registry lists nobody. */
  registryCoolingHours: { default: 0, min: 0, max: HOURS_PER_MONTH },
  /** Whether service accounts may vote where a policy lets them; only the operator's command changes it. */
  serviceAccountsMayVote: { default: false },
  /** Whether approvers are told by mail what waits for them, reminded, and told of an escalation. */
  approvalMails: { default: true },
  /** Whether a change is refused by which some approval could not be reached; until then it is made and warned of. */
  refuseUnreachable: { default: false },
} as const satisfies Record<string, Switch | Amount>;

export type SettingName = keyof typeof SETTINGS;

export type Settings = { readonly [N in SettingName]: (typeof SETTINGS)[N]['default'] extends boolean ? boolean : number };

/** Settings that decide who may vote: a change of one asks for every verdict to be looked at again. */
export const POLICY_SETTINGS: readonly SettingName[] = ['voterCoolingHours', 'serviceAccountsMayVote'];

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** True for a value that this setting can have. */
function fits(name: SettingName, value: unknown): boolean {
  const rule: Switch | Amount = SETTINGS[name];
  if (!('min' in rule)) return typeof value === 'boolean';
  return typeof value === 'number' && Number.isInteger(value) && value >= rule.min && value <= rule.max;
}

/** What counts now: what is stored, and the default where nothing usable is. */
export function settingsOf(stored: Readonly<Record<string, unknown>>): Settings {
  const entries = NAMES.map((name) => [name, fits(name, stored[name]) ? stored[name] : SETTINGS[name].default]);
  return Object.fromEntries(entries) as Settings;
}

/** A cooling period that was made shorter goes on in its old length until that is over, as ISO 8601. */
export type CoolingFloor = { readonly hours: number; readonly until: string };

/**
 * Settings that nobody may shorten and use within the same minute (S10), each with the name under which its `CoolingFloor` is kept
 * among the settings. Nobody can set a floor.
 */
export const FLOORS = {
  voterCoolingHours: 'voterCoolingFloor',
  recoveryWaitHours: 'recoveryWaitFloor',
  registryCoolingHours: 'registryCoolingFloor',
  keyExportWaitHours: 'keyExportWaitFloor',
} as const satisfies Partial<Record<SettingName, string>>;

export type FlooredSetting = keyof typeof FLOORS;

type Stored = Readonly<Record<string, unknown>>;

/** What is left of the longer period that a shorter one replaces. */
export function coolingFloor(before: number, after: number, now: Date): CoolingFloor | undefined {
  return after < before ? { hours: before, until: hoursFrom(now, before) } : undefined;
}

/** Hours that count now: a period that was made shorter counts in its old length until that is over, a longer one at once. */
export function hoursNow(stored: Stored, name: FlooredSetting, now: Date): number {
  const hours = settingsOf(stored)[name];
  const floor = stored[FLOORS[name]] as CoolingFloor | undefined;
  return floor && new Date(floor.until) > now ? Math.max(floor.hours, hours) : hours;
}

/** From when keys may leave, as ISO 8601; it is kept among the settings when export is switched on, and nobody can set it. */
export const EXPORT_FROM = 'keyExportFrom';

export const hoursFrom = (now: Date, hours: number): string => new Date(now.getTime() + hours * HOUR_MS).toISOString();

/** Whether keys may leave now. Organizations that switched export on before there was a wait have no date. */
export function mayExport(stored: Stored, now: Date): boolean {
  const from = stored[EXPORT_FROM];
  // A date that cannot be read is later than every other.
  return settingsOf(stored).keyExport && (from === undefined || new Date(String(from)) <= now);
}
