import type { Operation } from '../../http/operation';
import { getApplication } from './get-application';
import { listApplications } from './list-applications';

export const applicationOperations: readonly Operation[] = [listApplications, getApplication];
