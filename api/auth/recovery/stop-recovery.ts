import { z } from 'zod';
import { stopRecovery as stop } from '../../../application/recovery/waiting-recoveries';
import { operation } from '../../http/operation';
import { Recovery } from './schemas';

export const stopRecovery = operation({
  id: 'stopRecovery',
  method: 'delete',
  path: '/auth/recover/user/:recoveryId',
  tag: 'auth',
  summary: 'Stop a waiting recovery',
  description:
    'Only the user of the recovery and an administrator with full access may stop it; any other caller receives `NotFound` ' +
    '(404), as does a request with an unknown id. The new credentials are discarded, the workflow `recover` ends, and the user ' +
    'and all administrators with full access receive a mail. The call returns `WrongState` (409) if the recovery has ended.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: true,
  params: z.strictObject({ recoveryId: z.string().min(1).max(64) }),
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: Recovery,
  handle: ({ params, authority }, services) => stop(services, authority, params.recoveryId),
});
