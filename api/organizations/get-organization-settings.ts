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
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Orgs:Settings:Read',
  userAction: false,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.undefined(),
  response: OrganizationSettings,
  handle: ({ authority }, { db }) => getSettings(db.read(authority.caller.orgId), authority.caller.orgId),
});
