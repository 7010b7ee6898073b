import type { ChangeKind } from '../../domain/change-requests';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Reader } from '../../entities/database';
import { type ChangeRequestView, changeRequestView } from './view';

export type WithPendingChange<View, K extends ChangeKind> = View & { readonly pendingChangeRequest?: ChangeRequestView<K> };

export async function withPendingChanges<K extends ChangeKind, Row extends { readonly id: string }, View extends object>(
  reader: Reader,
  kind: K,
  rows: readonly Row[],
  view: (row: Row) => View,
): Promise<WithPendingChange<View, K>[]> {
  const ids = rows.map(({ id }) => id);
  const pending = await changeRequestStore.pendingAmong(reader, ids);
  return rows.map((row) => {
    const change = pending.find((one) => one.kind === kind && one.entityId === row.id);
    return { ...view(row), ...(change ? { pendingChangeRequest: changeRequestView({ ...change, kind }) } : {}) };
  });
}
