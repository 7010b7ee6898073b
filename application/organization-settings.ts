import type { z } from 'zod';
import { AppError } from '../domain/errors';
import {
  COOLING_FLOOR,
  coolingFloor,
  coolingHours,
  POLICY_SETTINGS,
  RECOVERY_FLOOR,
  REGISTRY_FLOOR,
  recoveryWaitHours,
  registryCoolingHours,
  type SettingName,
  type Settings,
  settingsOf,
} from '../domain/settings';
import type { Reader, Tx } from '../entities/database';
import { organizationStore } from '../entities/organizations/organization.store';
import { type Authority, act } from './authority';
import { changedOidcSettings, OIDC_SETTING, type OidcSettingsInput, oidcSettingsOf, oidcSettingsView } from './oidc-settings';
import type { Services } from './services';

export type SettingsChange = { readonly [N in SettingName]?: Settings[N] | undefined };
type Sso = z.output<typeof OidcSettingsInput>;
type Requested = SettingsChange & { readonly sso?: Sso | undefined; readonly version?: number | undefined };
type Sealing = Parameters<typeof changedOidcSettings>[0];

/** The settings as they stand, and how often they were changed. */
export async function getSettings(reader: Reader, orgId: string) {
  const { settings, version } = await organizationStore.row(reader, orgId);
  return { ...settingsOf(settings), sso: oidcSettingsView(oidcSettingsOf(settings)), version };
}

/**
 * Changes the settings that are named and no other. Throws `Conflict` when they are no longer those of the `version` that the
 * change was made for, and `InvalidRequest` for an identity provider that cannot be used.
 */
export function updateSettings(
  { db, ...sealing }: Pick<Services, 'db'> & Sealing,
  authority: Authority,
  { version: expected, sso, ...change }: Requested,
) {
  return act(db, authority, async (tx) => {
    await organizationStore.beginPolicyChange(tx);
    const { settings: stored, version } = await organizationStore.lock(tx);
    if (expected !== undefined && expected !== version) {
      throw new AppError('Conflict', 'the settings were changed meanwhile', { version });
    }
    const signIn = sso && { [OIDC_SETTING]: changedOidcSettings(sealing, tx.orgId, oidcSettingsOf(stored), sso) };
    await storeSettings(tx, stored, change, signIn);
    return getSettings(tx, tx.orgId);
  });
}

/** As `updateSettings` for the operator, who may also change what the interface does not take. */
export async function changeSettings(tx: Tx, change: SettingsChange): Promise<void> {
  await organizationStore.beginPolicyChange(tx);
  await storeSettings(tx, (await organizationStore.lock(tx)).settings, change);
}

type Stored = Readonly<Record<string, unknown>>;

async function storeSettings(tx: Tx, stored: Stored, change: SettingsChange, signIn?: Stored): Promise<void> {
  const before = settingsOf(stored);
  const differs = (name: SettingName) => change[name] !== undefined && change[name] !== before[name];
  const changed = (Object.keys(before) as SettingName[]).filter(differs);
  if (changed.length === 0 && !signIn) return;
  const now = await tx.clock();
  const { voterCoolingHours: hours = before.voterCoolingHours } = change;
  const floor = hours < before.voterCoolingHours ? coolingFloor(coolingHours(stored, now), hours, now) : undefined;
  const { recoveryWaitHours: wait = before.recoveryWaitHours } = change;
  const recoveryFloor = wait < before.recoveryWaitHours ? coolingFloor(recoveryWaitHours(stored, now), wait, now) : undefined;
  const { registryCoolingHours: cooling = before.registryCoolingHours } = change;
  const registryFloor =
    cooling < before.registryCoolingHours ? coolingFloor(registryCoolingHours(stored, now), cooling, now) : undefined;
  await organizationStore.changeSettings(tx, {
    ...Object.fromEntries(changed.map((name) => [name, change[name]])),
    ...(floor ? { [COOLING_FLOOR]: floor } : {}),
    ...(recoveryFloor ? { [RECOVERY_FLOOR]: recoveryFloor } : {}),
    ...(registryFloor ? { [REGISTRY_FLOOR]: registryFloor } : {}),
    ...signIn,
  });
  if (changed.some((name) => POLICY_SETTINGS.includes(name))) await organizationStore.bumpPolicyEpoch(tx);
}
