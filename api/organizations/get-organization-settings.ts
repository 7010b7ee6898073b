import { z } from 'zod';
import { getSettings } from '../../application/organizations/settings';
import { operation } from '../http/operation';
import { OrganizationSettings } from './schemas';

export const getOrganizationSettings = operation({
  id: 'getOrganizationSettings',
  method: 'get',
  path: '/organizations/settings',
  tag: 'organizations',
  summary: 'Read the settings of the organisation',
  description:
    'Returns every setting, with the default for settings that the organisation has not changed, and `version`, which each ' +
    'change increments. A stored client secret of an identity provider is never returned.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Orgs:Settings:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: OrganizationSettings,
  handle: ({ authority }, { db }) => getSettings(db.read(authority.caller.orgId), authority.caller.orgId),
});
