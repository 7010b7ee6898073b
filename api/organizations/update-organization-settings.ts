import { z } from 'zod';
import { updateSettings } from '../../application/organization-settings';
import { operation } from '../http/operation';
import { OrganizationSettings, OrganizationSettingsBody } from './schemas';

export const updateOrganizationSettings = operation({
  id: 'updateOrganizationSettings',
  method: 'put',
  path: '/organizations/settings',
  tag: 'organizations',
  summary: 'Change the settings that are named, and no other',
  callers: ['CustomerEmployee'],
  refusesPersonalTokens: true,
  permission: 'Orgs:Settings:Update',
  userAction: true,
  secretBody: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: OrganizationSettingsBody,
  response: OrganizationSettings,
  handle: ({ body, authority }, services) => updateSettings(services, authority, body),
});
