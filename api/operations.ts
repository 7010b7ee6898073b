import { credentialOperations } from './auth/credentials';
import { userActionOperations } from './auth/user-actions';
import { userOperations } from './auth/users';
import type { Operation } from './http/operation';

/** The whole surface of the API as one list: router, documentation, permission catalogue and tests fold over it. */
export const operations: readonly Operation[] = [...userActionOperations, ...userOperations, ...credentialOperations];
