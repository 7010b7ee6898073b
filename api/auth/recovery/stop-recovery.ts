import { z } from 'zod';
import { stopRecovery as stop } from '../../../application/recovery/waiting-recoveries';
import { operation } from '../../http/operation';
import { Recovery } from './schemas';

export const stopRecovery = operation({
  id: 'stopRecovery',
  method: 'delete',
  path: '/auth/recover/user/:recoveryId',
  tag: 'auth',
  summary: 'Stop a waiting recovery, as its user or as a full administrator',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: z.strictObject({ recoveryId: z.string().min(1).max(64) }),
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: Recovery,
  handle: ({ params, authority }, services) => stop(services, authority, params.recoveryId),
});
