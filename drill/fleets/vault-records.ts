import type { FleetKey } from '../../platform/fleets/inputs';
import type { FleetApprovedEntry, FleetKeyAssignedEntry, FleetSealedEntry } from '../../signer/record/fleets/fleet-entries';
import type { Entry } from '../../signer/record/journal/entries';
import { readJournal } from '../../signer/record/read-journal';
import type { DeviceSignedEntry, SignatureEntry } from '../../signer/record/signing-entries';
import type { Stage } from '../rig';

type OfStore = { readonly orgId: string; readonly storeId: string };
type GroupRow = OfStore & {
  readonly id: string;
  readonly status: string;
  readonly digest: string | null;
  readonly outputs: string;
};
type FleetRow = OfStore & { readonly digest: string | null };
type KeyRow = OfStore & FleetKey & { readonly keyId: string | null; readonly walletKeys: string };
type RequestRow = OfStore & {
  readonly id: string;
  readonly groupId: string | null;
  readonly messages: readonly string[] | null;
  readonly signatures: readonly { readonly r: string; readonly s: string }[] | null;
  /** The operations for the request, in all groups. */
  readonly operations: string;
};

/** The fleets of these organisations, in the journal of the signer and in the rows of the service. */
export type VaultRecords = {
  readonly sealed: readonly FleetSealedEntry[];
  readonly approved: readonly FleetApprovedEntry[];
  readonly assigned: readonly FleetKeyAssignedEntry['assigned'][];
  readonly vouched: readonly SignatureEntry['signed'][];
  readonly made: readonly DeviceSignedEntry[];
  readonly groups: readonly GroupRow[];
  readonly fleets: readonly FleetRow[];
  readonly keys: readonly KeyRow[];
  readonly requests: readonly RequestRow[];
};

const orgOf = (entry: Entry): string | undefined => {
  if (entry.kind === 'FleetKeyAssigned') return entry.assigned.orgId;
  if (entry.kind === 'Signed') return entry.signed.orgId;
  return 'orgId' in entry ? entry.orgId : undefined;
};

async function entriesOf(stage: Stage, orgIds: readonly string[]): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  if (orgIds.length > 0)
    await readJournal(stage.folderOf('signer'), (json) => {
      const entry: Entry = JSON.parse(json);
      if (orgIds.includes(orgOf(entry) ?? '')) entries.push(entry);
    });
  return entries;
}

export async function readVaults(stage: Stage, orgIds: readonly string[]): Promise<VaultRecords> {
  const entries = await entriesOf(stage, orgIds);
  const of = <K extends Entry['kind']>(kind: K) =>
    entries.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
  const rows = <R extends object>(columns: string, rest: string) =>
    stage.sql<R>(`SELECT t.org_id AS "orgId", t.store_id AS "storeId", ${columns} FROM ${rest} WHERE t.org_id = ANY($1)`, [
      orgIds,
    ]);
  return {
    sealed: of('FleetSealed'),
    approved: of('FleetApproved'),
    assigned: of('FleetKeyAssigned').map(({ assigned }) => assigned),
    vouched: of('Signed').map(({ signed }) => signed),
    made: of('DeviceSigned'),
    groups: await rows<GroupRow>(
      `t.id, t.status, t.input_digest AS digest,
       coalesce((SELECT string_agg(o.status, ' ') FROM fleet_outputs o WHERE o.org_id = t.org_id AND o.group_id = t.id), '') AS outputs`,
      'fleet_groups t',
    ),
    fleets: await rows<FleetRow>('t.manifest_digest AS digest', 'fleets t'),
    keys: await rows<KeyRow>(
      `t.curve, t.index, t.public_key AS "publicKey", t.key_id AS "keyId",
       coalesce((SELECT string_agg(k.id || ' ' || k.public_key || ' ' || w.status, ', ') FROM keys k
         JOIN wallets w ON w.org_id = k.org_id AND w.key_id = k.id
         WHERE k.org_id = t.org_id AND k.store_id = t.store_id AND k.id = t.key_id), '') AS "walletKeys"`,
      'fleet_keys t',
    ),
    requests: await rows<RequestRow>(
      `t.request_id AS id, t.group_id AS "groupId", t.messages, t.signatures,
       coalesce((SELECT string_agg(o.group_id || ' ' || o.status, ', ') FROM fleet_operations o
         WHERE o.org_id = t.org_id AND o.subject_id = t.request_id), '') AS operations`,
      'offline_requests t',
    ),
  };
}
