import type { Operation } from '../http/operation';
import { getAuthority } from './authority/get-authority';
import { listAmendments } from './authority/list-amendments';
import { listCharterHeads } from './authority/list-charter-heads';
import { getOrganizationSettings } from './get-organization-settings';
import { updateOrganizationSettings } from './update-organization-settings';

export const organizationOperations: readonly Operation[] = [
  getOrganizationSettings,
  updateOrganizationSettings,
  getAuthority,
  listAmendments,
  listCharterHeads,
];
