import { z } from 'zod';
import { OidcSettingsInput, OidcSettingsView } from '../../application/login/oidc-settings';
import { SETTINGS, type SettingName } from '../../domain/settings';
import { changeRequestSchema } from '../http/change-requests';

const about = (name: SettingName, text: string): string => `${text}; ${SETTINGS[name].default} by default`;

const between = ({ min, max }: { readonly min: number; readonly max: number }) => z.int().min(min).max(max);

/** Only the operator may change `serviceAccountsMayVote`. */
const changeable = {
  keyImport: z.boolean().describe(about('keyImport', 'Whether external keys may be imported')),
  keyExport: z.boolean().describe(about('keyExport', 'Whether keys may be exported, from keyExportFrom on')),
  keyExportWaitHours: between(SETTINGS.keyExportWaitHours).describe(
    about('keyExportWaitHours', 'Hours between switching keyExport on and the first possible export'),
  ),
  grantBeyondOwnRights: z
    .boolean()
    .describe(
      about('grantBeyondOwnRights', 'Whether people may give permissions with operations that they do not have themselves'),
    ),
  externalIdRequired: z
    .boolean()
    .describe(about('externalIdRequired', 'Whether a transfer needs an `externalId`, so that a repeated request pays only once')),
  equalPaymentHoldMinutes: between(SETTINGS.equalPaymentHoldMinutes).describe(
    about(
      'equalPaymentHoldMinutes',
      'If a wallet receives a second request for an equal payment within this number of minutes, and the second request has ' +
        'no `externalId`, that request waits for confirmation; 0 switches this off',
    ),
  ),
  sessionMinutes: between(SETTINGS.sessionMinutes).describe(
    about('sessionMinutes', 'Minutes that a session lasts after its login; existing sessions keep their expiry'),
  ),
  recoveryWaitHours: between(SETTINGS.recoveryWaitHours).describe(
    about('recoveryWaitHours', 'Hours that the recovery of a user waits, during which it can be stopped'),
  ),
  approvalMails: z
    .boolean()
    .describe(about('approvalMails', 'Whether approvers are mailed about waiting approvals, reminders and escalations')),
  voterCoolingHours: between(SETTINGS.voterCoolingHours).describe(
    about('voterCoolingHours', 'Hours during which a new user, or a user whose credentials changed, may deny but not approve'),
  ),
  registryCoolingHours: between(SETTINGS.registryCoolingHours).describe(
    about(
      'registryCoolingHours',
      'Hours until a new entry in the address registry, or an entry with a new address, takes effect',
    ),
  ),
  refuseUnreachable: z
    .boolean()
    .describe(
      about(
        'refuseUnreachable',
        'Whether a change is refused if an approval could then no longer reach its quorum; otherwise the change is made with ' +
          'a warning',
      ),
    ),
} satisfies Record<Exclude<SettingName, 'serviceAccountsMayVote'>, z.ZodType>;

export const OrganizationSettings = z
  .object({
    ...changeable,
    keyExportFrom: z.iso.datetime().exactOptional().describe('When keys may first be exported; absent while keyExport is off'),
    serviceAccountsMayVote: z
      .boolean()
      .describe('Whether service accounts may vote where a policy accepts them; only a command of the operator changes it'),
    sso: OidcSettingsView.describe('How people sign in through identity providers'),
    version: z.int().describe('Incremented by each change of the settings'),
  })
  .meta({ id: 'OrganizationSettings' });

export const OrganizationSettingsChangeRequest = changeRequestSchema('OrganizationSettings', ['Update'], OrganizationSettings);

/** Omitted members stay unchanged. With `version`, the change is refused if the settings have changed since that version. */
export const OrganizationSettingsBody = z
  .strictObject({
    ...changeable,
    sso: OidcSettingsInput.describe('Omitted members stay unchanged'),
    version: z
      .int()
      .min(1)
      .describe('The version that the change is based on; if the settings have a later version, the response is 409 Conflict'),
  })
  .partial();
