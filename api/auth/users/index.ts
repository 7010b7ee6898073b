import type { Operation } from '../../http/operation';
import { getUser } from './get-user';
import { listUsers } from './list-users';

export const userOperations: readonly Operation[] = [listUsers, getUser];
