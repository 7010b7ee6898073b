import type { Operation } from '../../http/operation';
import { listCredentials } from './list-credentials';

export const credentialOperations: readonly Operation[] = [listCredentials];
