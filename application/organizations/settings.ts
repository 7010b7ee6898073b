import type { z } from 'zod';
import { AppError } from '../../domain/errors';
import {
  coolingFloor,
  EXPORT_FROM,
  FLOORS,
  type FlooredSetting,
  hoursFrom,
  hoursNow,
  POLICY_SETTINGS,
  type SettingName,
  type Settings,
  settingsOf,
} from '../../domain/settings';
import type { Reader, Tx } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { UserEntity } from '../../entities/users/user.entity';
import { type Apply, assertNothingPending, type Changed, makeChange } from '../change-requests/proposals';
import {
  changedOidcSettings,
  OIDC_SETTING,
  type OidcSettingsInput,
  oidcSettingsOf,
  oidcSettingsView,
} from '../login/oidc-settings';
import { type Mailing, queueMail } from '../mails/mails';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { fullAdmins, keepingFullAdmin } from '../users/full-admins';
import type { SettingsView } from './settings-view';

export type SettingsChange = { readonly [N in SettingName]?: Settings[N] | undefined };
type Sso = z.output<typeof OidcSettingsInput>;
type Requested = SettingsChange & { readonly sso?: Sso | undefined; readonly version?: number | undefined };
type Sealing = Parameters<typeof changedOidcSettings>[0];
type Stored = Readonly<Record<string, unknown>>;

/** `version` counts the changes of the settings. */
export async function getSettings(reader: Reader, orgId: string): Promise<SettingsView> {
  const { settings, version } = await organizationStore.row(reader, orgId);
  return viewOf(settings, version);
}

function viewOf(stored: Stored, version: number): SettingsView {
  const settings = settingsOf(stored);
  const from = stored[EXPORT_FROM];
  return {
    ...settings,
    ...(settings.keyExport && typeof from === 'string' ? { keyExportFrom: from } : {}),
    sso: oidcSettingsView(oidcSettingsOf(stored)),
    version,
  };
}

/**
 * Holds the change if a policy requests approval. Throws `Conflict` if the settings no longer have the given `version`, and
 * `InvalidRequest` for an identity provider that cannot be used. Throws `ChangePending` while an earlier change waits,
 * `PolicyBlocked` if a policy blocks this change, and `LastAdministrator` if no full administrator could sign in any more.
 */
export function updateSettings(
  services: Pick<Services, 'db' | 'dispatcher'> & Sealing & Mailing,
  authority: Authority,
  { version: expected, sso, ...requested }: Requested,
): Promise<Changed<SettingsView>> {
  return makeChange<SettingsView>(services, authority, async (tx) => {
    const { orgId } = tx;
    const { settings: stored, version } = await organizationStore.lock(tx);
    if (expected !== undefined && expected !== version) {
      throw new AppError('Conflict', 'the settings are no longer at this version', { version });
    }
    const before = settingsOf(stored);
    const signIn = sso && changedOidcSettings(services, orgId, oidcSettingsOf(stored), sso);
    const change = { ...differing(before, requested), ...(signIn ? { [OIDC_SETTING]: signIn } : {}) };
    const names = Object.keys(change);
    if (names.length === 0) return { unchanged: viewOf(stored, version) };
    await assertNothingPending(tx, orgId);
    const standing: Stored = { ...before, [OIDC_SETTING]: oidcSettingsOf(stored) };
    return {
      proposal: {
        kind: 'OrganizationSettings',
        operationKind: 'Update',
        entityId: orgId,
        subject: orgId,
        baseVersion: version,
        before: Object.fromEntries(names.map((name) => [name, standing[name]])),
        change,
        body: viewOf({ ...stored, ...change, [EXPORT_FROM]: undefined }, version + 1),
      },
      apply: applyToSettings(services),
      read: (inside) => getSettings(inside, orgId),
    };
  });
}

/** Every full administrator gets a mail when one of these settings is switched on. */
const TOLD: readonly SettingName[] = ['keyExport', 'grantBeyondOwnRights'];

export const applyToSettings =
  (services: Mailing): Apply =>
  async (tx, { baseVersion, change, requesterUserId }) => {
    const { settings: stored, version } = await organizationStore.lock(tx);
    if (version !== baseVersion) return 'The settings have changed since this was requested';
    const { [OIDC_SETTING]: signIn, ...rest } = change;
    const members = rest as SettingsChange;
    // Without a provider, users who must sign in through a provider are locked out.
    if (signIn === undefined) await storeSettings(tx, stored, members);
    else await keepingFullAdmin(tx, () => storeSettings(tx, stored, members, { [OIDC_SETTING]: signIn }));
    const opened = TOLD.filter((name) => members[name] === true && settingsOf(stored)[name] !== true);
    for (const setting of opened) await tellAdministrators(tx, services, setting, requesterUserId);
    return undefined;
  };

async function tellAdministrators(tx: Tx, services: Mailing, setting: SettingName, userId: string): Promise<void> {
  const { settings } = await organizationStore.row(tx, tx.orgId);
  const requester = await tx.row(UserEntity, 'WHERE t.id = $1', [userId]);
  const dateEffective = setting === 'keyExport' ? String(settings[EXPORT_FROM]) : (await tx.clock()).toISOString();
  const data = { setting, by: requester?.name ?? userId, dateEffective };
  for (const { username: to } of await fullAdmins(tx)) {
    await queueMail(tx, services, { template: 'SettingSwitchedOn', data, userId, to });
  }
}

/** The operator may also change settings that the interface does not accept. */
export async function changeSettings(tx: Tx, change: SettingsChange): Promise<void> {
  await organizationStore.beginPolicyChange(tx);
  await storeSettings(tx, (await organizationStore.lock(tx)).settings, change);
}

const differing = (before: Settings, change: SettingsChange): SettingsChange =>
  Object.fromEntries(
    Object.entries(change).filter(([name, value]) => value !== undefined && value !== before[name as SettingName]),
  );

async function storeSettings(tx: Tx, stored: Stored, requested: SettingsChange, signIn?: Stored): Promise<void> {
  const change = differing(settingsOf(stored), requested);
  if (Object.keys(change).length === 0 && !signIn) return;
  const now = await tx.clock();
  await organizationStore.changeSettings(tx, {
    ...change,
    ...floorsOf(stored, change, now),
    ...exportFrom(stored, change, now),
    ...signIn,
  });
  if (POLICY_SETTINGS.some((name) => name in change)) await organizationStore.bumpPolicyEpoch(tx);
}

function floorsOf(stored: Stored, change: SettingsChange, now: Date): Stored {
  const before = settingsOf(stored);
  const floors = (Object.keys(FLOORS) as FlooredSetting[]).flatMap((name) => {
    const { [name]: after = before[name] } = change;
    const floor = after < before[name] ? coolingFloor(hoursNow(stored, name, now), after, now) : undefined;
    return floor ? [[FLOORS[name], floor] as const] : [];
  });
  return Object.fromEntries(floors);
}

/** A change that switches the export on and shortens the waiting time still waits for the previous, longer time. */
function exportFrom(stored: Stored, { keyExport, keyExportWaitHours = 0 }: SettingsChange, now: Date): Stored {
  if (keyExport !== true) return {};
  return { [EXPORT_FROM]: hoursFrom(now, Math.max(keyExportWaitHours, hoursNow(stored, 'keyExportWaitHours', now))) };
}
