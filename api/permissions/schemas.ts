import { z } from 'zod';
import { PERMISSION_NAMES } from '../../domain/permissions';
import { changeRequestSchema } from '../http/change-requests';

const PERMISSION_NAME_LENGTH_MAX = 100;

const PermissionOperation = z.enum(PERMISSION_NAMES).meta({
  id: 'PermissionOperation',
  description: 'Earlier spellings are accepted too; responses use the latest',
});

/** A blank name would be indistinguishable from another. */
export const PermissionName = z.string().min(1).max(PERMISSION_NAME_LENGTH_MAX).regex(/\S/, 'must not be blank');
export const PermissionOperations = z.array(PermissionOperation).min(1).max(PERMISSION_NAMES.length);

const body = {
  id: z.string(),
  name: z.string(),
  operations: z.array(z.string()),
  status: z.literal('Active'),
  isImmutable: z.boolean(),
  isArchived: z.boolean(),
};
const dates = { dateCreated: z.iso.datetime(), dateUpdated: z.iso.datetime() };

export const Permission = z.object({ ...body, ...dates }).meta({ id: 'Permission' });
export const PermissionChangeRequest = changeRequestSchema('Permission', ['Update'], z.object(body));
export const PermissionWithPendingChange = z
  .object({ ...body, ...dates, pendingChangeRequest: PermissionChangeRequest.exactOptional() })
  .meta({ id: 'PermissionWithPendingChange' });

const assignment = { id: z.string(), permissionId: z.string(), identityId: z.string(), isImmutable: z.boolean() };

export const Assignment = z.object({ ...assignment, ...dates }).meta({ id: 'Assignment' });
export const AssignmentChangeRequest = changeRequestSchema('Assignment', ['Create', 'Delete'], z.object(assignment));
export const AssignmentWithPendingChange = z
  .object({ ...assignment, ...dates, pendingChangeRequest: AssignmentChangeRequest.exactOptional() })
  .meta({ id: 'AssignmentWithPendingChange' });

const Id = z.string().min(1).max(64);
export const IdentityId = Id.describe('A user, a service account or an access token');
export const PermissionParams = z.strictObject({ permissionId: Id });
export const AssignmentParams = z.strictObject({ permissionId: Id, assignmentId: Id });
