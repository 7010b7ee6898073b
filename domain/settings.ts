const MINUTES_PER_DAY = 1_440;
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
  /** Whether keys may leave. */
  keyExport: { default: false },
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
  recoveryWaitHours: { default: 0, min: 0, max: 72 },
  /** How long a new user, and one whose credentials changed, may not approve (S10). */
  voterCoolingHours: { default: 0, min: 0, max: HOURS_PER_MONTH },
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

const MS_PER_HOUR = 3_600_000;

/** A cooling period that was made shorter goes on in its old length until that is over, as ISO 8601. */
export type CoolingFloor = { readonly hours: number; readonly until: string };

/** Where it is kept among the settings; nobody can set it. */
export const COOLING_FLOOR = 'voterCoolingFloor';

/** Without this, one who may change settings could make three users and shorten their waiting in the same minute (S10). */
export function coolingFloor(before: number, after: number, now: Date): CoolingFloor | undefined {
  return after < before ? { hours: before, until: new Date(now.getTime() + before * MS_PER_HOUR).toISOString() } : undefined;
}

/** Hours that count now, with what is left of a longer period before. */
export function coolingHours(stored: Readonly<Record<string, unknown>>, now: Date): number {
  return floored(stored[COOLING_FLOOR], settingsOf(stored).voterCoolingHours, now);
}

/** As `COOLING_FLOOR`, for the wait of recoveries: nobody can shorten it and recover within the same minute. */
export const RECOVERY_FLOOR = 'recoveryWaitFloor';

/** As `coolingHours`, for the wait of a recovery that is completed now. */
export function recoveryWaitHours(stored: Readonly<Record<string, unknown>>, now: Date): number {
  return floored(stored[RECOVERY_FLOOR], settingsOf(stored).recoveryWaitHours, now);
}

/** As `COOLING_FLOOR`, for entries of the registry: nobody can shorten the period and use a new entry within the same minute. */
export const REGISTRY_FLOOR = 'registryCoolingFloor';

/** As `coolingHours`, for an entry of the registry that is made or changed now. */
export function registryCoolingHours(stored: Readonly<Record<string, unknown>>, now: Date): number {
  return floored(stored[REGISTRY_FLOOR], settingsOf(stored).registryCoolingHours, now);
}

function floored(stored: unknown, hours: number, now: Date): number {
  const floor = stored as CoolingFloor | undefined;
  return floor && new Date(floor.until) > now ? Math.max(floor.hours, hours) : hours;
}
