import { z } from 'zod';
import { updateSettings } from '../../application/organizations/settings';
import { aboutPolicies, answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { OrganizationSettings, OrganizationSettingsBody, OrganizationSettingsChangeRequest } from './schemas';

export const updateOrganizationSettings = operation({
  id: 'updateOrganizationSettings',
  method: 'put',
  path: '/organizations/settings',
  tag: 'organizations',
  summary: 'Change settings of the organisation',
  description:
    'Omitted settings stay unchanged, and a request that changes nothing returns the current settings; if `version` is given ' +
    'and the settings have changed since that version, the response is 409 `Conflict`. Switching on `keyExport` takes effect ' +
    'after `keyExportWaitHours`, and every full administrator is mailed when `keyExport` or `grantBeyondOwnRights` is switched ' +
    'on; if `keyExportWaitHours`, `recoveryWaitHours`, `voterCoolingHours` or `registryCoolingHours` is shortened, its old ' +
    'length applies until that many hours have passed since the change. The call returns 400 `InvalidRequest` if this service ' +
    'may not call an issuer, or if an issuer is listed twice. ' +
    aboutPolicies('Organizations:Modify'),
  callers: ['CustomerEmployee'],
  refusesPersonalTokens: true,
  permission: 'Orgs:Settings:Update',
  userAction: true,
  secretBody: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: OrganizationSettingsBody,
  response: OrganizationSettings,
  accepted: OrganizationSettingsChangeRequest,
  handle: async ({ body, authority }, services) => answerOfChange(await updateSettings(services, authority, body)),
});
