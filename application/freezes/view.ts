import type { FreezeTarget } from '../../domain/freezes';
import type { FreezeEntity } from '../../entities/freezes/freeze.entity';

export type FreezeView = {
  readonly id: string;
  readonly target: { readonly kind: FreezeTarget; readonly id: string };
  readonly reason: string;
  readonly status: 'Active' | 'Released';
  /** Absent for a freeze by the service itself. */
  readonly requester?: { readonly userId: string };
  readonly dateCreated: string;
  readonly dateSignerTold?: string;
  readonly dateReleased?: string;
  /** The id of the change request that released the freeze. */
  readonly releasedBy?: string;
  readonly dateSignerReleased?: string;
};

export function freezeView(row: FreezeEntity): FreezeView {
  return {
    id: row.id,
    target: { kind: row.targetKind, id: row.targetId },
    reason: row.reason,
    status: row.dateReleased === null ? 'Active' : 'Released',
    ...(row.createdBy === null ? {} : { requester: { userId: row.createdBy } }),
    dateCreated: row.dateCreated.toISOString(),
    ...(row.dateSignerTold === null ? {} : { dateSignerTold: row.dateSignerTold.toISOString() }),
    ...(row.dateReleased === null ? {} : { dateReleased: row.dateReleased.toISOString() }),
    ...(row.releasedBy === null ? {} : { releasedBy: row.releasedBy }),
    ...(row.dateSignerReleased === null ? {} : { dateSignerReleased: row.dateSignerReleased.toISOString() }),
  };
}
