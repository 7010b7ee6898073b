import { z } from 'zod';
import type { Changed } from '../../application/change-requests/proposals';
import { CHANGE_STATUSES, type ChangeKind, type ChangeOperation } from '../../domain/change-requests';
import { Accepted } from './answer';

const ChangeRequestStatus = z.enum(CHANGE_STATUSES).meta({ id: 'ChangeRequestStatus' });

/** The schema of change requests of one kind; `body` is the state after the change. */
export function changeRequestSchema<
  K extends ChangeKind,
  const O extends readonly [ChangeOperation, ...ChangeOperation[]],
  B extends z.ZodType,
>(kind: K, operationKinds: O, body: B) {
  return z
    .object({
      id: z.string(),
      requester: z.object({ userId: z.string(), tokenId: z.string().exactOptional() }),
      status: ChangeRequestStatus,
      entityId: z.string(),
      dateCreated: z.iso.datetime(),
      dateResolved: z.iso.datetime().exactOptional(),
      approvalId: z.string().exactOptional(),
      kind: z.literal(kind),
      operationKind: z.enum(operationKinds),
      body,
    })
    .meta({ id: `${kind}ChangeRequest` });
}

/** The response to a change: the current state, or 202 with the change request while it waits for approval. */
export function answerOfChange<T>(changed: Changed<T>): T | Accepted {
  return 'value' in changed ? changed.value : new Accepted(changed.changeRequest);
}
