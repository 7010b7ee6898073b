import { z } from 'zod';
import { OidcSettingsInput, OidcSettingsView } from '../../application/login/oidc-settings';
import { SETTINGS, type SettingName } from '../../domain/settings';
import { changeRequestSchema } from '../http/change-requests';

const between = ({ min, max }: { readonly min: number; readonly max: number }) => z.int().min(min).max(max);

/** Settings that people of the organisation may change: all except those reserved to the operator. */
const changeable = {
  keyImport: z.boolean(),
  keyExport: z.boolean(),
  keyExportWaitHours: between(SETTINGS.keyExportWaitHours),
  grantBeyondOwnRights: z.boolean(),
  externalIdRequired: z.boolean(),
  equalPaymentHoldMinutes: between(SETTINGS.equalPaymentHoldMinutes),
  sessionMinutes: between(SETTINGS.sessionMinutes),
  recoveryWaitHours: between(SETTINGS.recoveryWaitHours),
  approvalMails: z.boolean(),
  voterCoolingHours: between(SETTINGS.voterCoolingHours),
  registryCoolingHours: between(SETTINGS.registryCoolingHours),
  refuseUnreachable: z.boolean(),
} satisfies Record<Exclude<SettingName, 'serviceAccountsMayVote'>, z.ZodType>;

export const OrganizationSettings = z
  .object({
    ...changeable,
    keyExportFrom: z.iso.datetime().exactOptional().describe('When keys may first be exported, if export is switched on'),
    serviceAccountsMayVote: z.boolean(),
    sso: OidcSettingsView,
    version: z.int(),
  })
  .meta({ id: 'OrganizationSettings' });

export const OrganizationSettingsChangeRequest = changeRequestSchema('OrganizationSettings', ['Update'], OrganizationSettings);

/** Omitted members stay unchanged. With `version`, the change is refused if another one came first. */
export const OrganizationSettingsBody = z
  .strictObject({ ...changeable, sso: OidcSettingsInput, version: z.int().min(1) })
  .partial();
