import type { AmendmentKind } from '../../domain/amendments';
import type { AmendmentEntity } from '../../entities/charters/amendment.entity';
import type { AmendmentRecord } from '../../entities/charters/amendment.store';

export type AmendmentView = {
  readonly id: string;
  readonly kind: AmendmentKind;
  readonly status: AmendmentEntity['status'];
  readonly reason?: string;
  readonly requester: { readonly userId: string };
  readonly userActionId: string;
  readonly request: { readonly method: string; readonly path: string };
  readonly approvalId?: string;
  /** The charter that resulted from the amendment. */
  readonly charter?: { readonly sequence: number; readonly digest: string };
  readonly dateCreated: string;
  readonly dateEnded?: string;
};

export function amendmentView(row: AmendmentRecord): AmendmentView {
  const { id, kind, status, reason, requesterId, userActionId, method, path, approvalId, sequence, digest } = row;
  return {
    ...{ id, kind, status, requester: { userId: requesterId }, userActionId, request: { method, path } },
    ...(reason === null ? {} : { reason }),
    ...(approvalId === null ? {} : { approvalId }),
    ...(sequence === null || digest === null ? {} : { charter: { sequence, digest } }),
    dateCreated: row.dateCreated.toISOString(),
    ...(row.dateEnded === null ? {} : { dateEnded: row.dateEnded.toISOString() }),
  };
}
