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
    'Omitted settings stay unchanged, and a request that changes nothing returns the current ones; with `version`, ' +
    'settings that were changed since cause 409 `Conflict`. Switching on `keyExport` takes effect after ' +
    '`keyExportWaitHours`, and every full administrator is mailed when it or `grantBeyondOwnRights` is switched on; ' +
    '`keyExportWaitHours`, `recoveryWaitHours`, `voterCoolingHours` and `registryCoolingHours` still count in their ' +
    'old length until that is over when they are shortened. An issuer that this service may not call, or one that is ' +
    'named twice, causes 400 `InvalidRequest`. ' +
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
