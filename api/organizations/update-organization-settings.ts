import { z } from 'zod';
import { updateSettings } from '../../application/organizations/settings';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { OrganizationSettings, OrganizationSettingsBody, OrganizationSettingsChangeRequest } from './schemas';

export const updateOrganizationSettings = operation({
  id: 'updateOrganizationSettings',
  method: 'put',
  path: '/organizations/settings',
  tag: 'organizations',
  summary: 'Change the named settings and no others',
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
