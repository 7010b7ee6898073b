import type { ChangeKind } from '../../domain/change-requests';
import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import type { FreezeView } from '../freezes/view';
import type { KeyDelegationWish, KeyExportWish, KeyImportWish } from '../keys/wish-view';
import type { SettingsView } from '../organizations/settings-view';
import type { AssignmentBody, PermissionBody } from '../permissions/view';
import type { PolicyView } from '../policies/view';
import type { ContractSchemaBody, RegistryAddressBody } from '../registry/view';

type Changes = {
  Permission: { operationKind: 'Update'; body: PermissionBody };
  Assignment: { operationKind: 'Create' | 'Delete'; body: AssignmentBody };
  Policy: { operationKind: 'Update'; body: PolicyView };
  Freeze: { operationKind: 'Delete'; body: FreezeView };
  Alias: { operationKind: 'Create' | 'Update' | 'Delete'; body: RegistryAddressBody };
  SmartContract: { operationKind: 'Create' | 'Delete'; body: ContractSchemaBody };
  KeyExport: { operationKind: 'Create'; body: KeyExportWish };
  KeyImport: { operationKind: 'Create'; body: KeyImportWish };
  KeyDelegation: { operationKind: 'Update'; body: KeyDelegationWish };
  OrganizationSettings: { operationKind: 'Update'; body: SettingsView };
};

export type ChangeRequestView<K extends ChangeKind = ChangeKind> = Pick<ChangeRequestEntity, 'id' | 'status' | 'entityId'> & {
  readonly requester: { readonly userId: string; readonly tokenId?: string };
  readonly dateCreated: string;
  readonly dateResolved?: string;
  readonly approvalId?: string;
  readonly kind: K;
} & Changes[K];

/** 202 responses, `pendingChangeRequest`, approvals and events contain this view. */
export function changeRequestView<K extends ChangeKind>(
  row: Omit<ChangeRequestEntity, 'orgId' | 'version'> & { readonly kind: K },
): ChangeRequestView<K> {
  const view: object = {
    id: row.id,
    requester: { userId: row.requesterUserId, ...(row.requesterTokenId === null ? {} : { tokenId: row.requesterTokenId }) },
    status: row.status,
    entityId: row.entityId,
    dateCreated: row.dateCreated.toISOString(),
    ...(row.dateResolved === null ? {} : { dateResolved: row.dateResolved.toISOString() }),
    ...(row.approvalId === null ? {} : { approvalId: row.approvalId }),
    kind: row.kind,
    operationKind: row.operationKind,
    body: row.body,
  };
  // The body fits the kind, because the same code wrote the body and the kind.
  return view as ChangeRequestView<K>;
}
