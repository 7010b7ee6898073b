import type { Operation } from '../../http/operation';
import { activateUser } from './activate-user';
import { archiveUser } from './archive-user';
import { createUser } from './create-user';
import { deactivateUser } from './deactivate-user';
import { getUser } from './get-user';
import { listUsers } from './list-users';
import { updateUser } from './update-user';

export const userOperations: readonly Operation[] = [
  createUser,
  listUsers,
  getUser,
  updateUser,
  archiveUser,
  activateUser,
  deactivateUser,
];
