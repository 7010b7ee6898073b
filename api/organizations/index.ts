import type { Operation } from '../http/operation';
import { getOrganizationSettings } from './get-organization-settings';
import { updateOrganizationSettings } from './update-organization-settings';

export const organizationOperations: readonly Operation[] = [getOrganizationSettings, updateOrganizationSettings];
