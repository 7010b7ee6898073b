import { sha256Hex } from '../../platform/digests';
import type { Cell } from '../cases';
import { differs } from '../differs';
import { type CarriedArchive, downloaded } from './carry';
import type { Vault } from './vault';
import type { VaultRecords } from './vault-records';

/** The records of one store. */
function ofStore(found: VaultRecords, { storeId }: Vault): VaultRecords {
  const own = <R extends { readonly storeId: string }>(rows: readonly R[]) => rows.filter((row) => row.storeId === storeId);
  const { vouched, made } = found;
  return {
    ...{ sealed: own(found.sealed), approved: own(found.approved), assigned: own(found.assigned), vouched, made },
    ...{ groups: own(found.groups), fleets: own(found.fleets), keys: own(found.keys), requests: own(found.requests) },
  };
}

/** The differences from the required state of a record of an offline store. `transferId` is undefined for the story `founded`. */
export async function vaultFaults(
  found: VaultRecords,
  { vault, carried }: Pick<Cell, 'vault' | 'carried'>,
  transferId: string | undefined,
): Promise<readonly string[]> {
  if (!vault) return ['it has no offline store'];
  if (!carried) return ['the device got no archive'];
  const own = ofStore(found, vault);
  return [
    ...groupFaults(own, carried),
    ...differs('the archive, downloaded again', sha256Hex(await downloaded(vault, carried)), sha256Hex(carried.archive)),
    ...(transferId === undefined ? foundedFaults(own, carried) : requestFaults(own, carried, transferId)),
    ...keyFaults(own),
  ];
}

/** The group must have ended with one archive and one output, and the store must have no open group. */
function groupFaults({ groups, sealed }: VaultRecords, { groupId }: CarriedArchive): readonly string[] {
  const group = groups.find(({ id }) => id === groupId);
  const open = groups.filter(({ status }) => status === 'Initialized' || status === 'InReview');
  const digests = sealed.filter((entry) => entry.groupId === groupId).map(({ inputDigest }) => inputDigest);
  return [
    ...differs('the group', group?.status, 'Approved'),
    ...differs('outputs of the group', group?.outputs, 'Accepted'),
    ...differs('open groups', open.length, 0),
    ...differs('archives in the journal', digests, group?.digest),
  ];
}

/** No other group may have carried the request. */
function requestFaults(found: VaultRecords, { groupId }: CarriedArchive, requestId: string): readonly string[] {
  const row = found.requests.find(({ id }) => id === requestId);
  return [
    ...differs('the group of the request', row?.groupId, groupId),
    ...differs('operations for the request', row?.operations, `${groupId} Approved`),
    ...signedFaults(found, requestId),
  ];
}

/** The journal must have one vouch and one record of the signatures, and both must match the row of the request. */
export function signedFaults(
  { requests, vouched, made }: Pick<VaultRecords, 'requests' | 'vouched' | 'made'>,
  requestId: string,
): readonly string[] {
  const row = requests.find(({ id }) => id === requestId);
  const digests = (row?.messages ?? []).map((hex) => sha256Hex(Buffer.from(hex.slice(2), 'hex')));
  const vouches = vouched.filter((signed) => signed.requestId === requestId);
  const records = made.filter((entry) => entry.requestId === requestId);
  const words = (signatures: readonly { readonly r: string; readonly s: string }[]) => signatures.map(({ r, s }) => `${r} ${s}`);
  return [
    ...differs('vouches in the journal', vouches.length, 1),
    ...differs(
      'messages of the vouch',
      vouches.flatMap((signed) => signed.vouched?.messages ?? []),
      digests,
    ),
    ...differs(
      'claims of the vouch',
      vouches.map(({ claim }) => claim !== undefined),
      [true],
    ),
    ...differs('records of signatures in the journal', records.length, 1),
    ...differs(
      'signatures',
      records.flatMap(({ signatures }) => words(signatures)),
      words(row?.signatures ?? []),
    ),
  ];
}

const foundedFaults = ({ approved, keys }: VaultRecords, { groupId }: CarriedArchive): readonly string[] => [
  ...differs(
    'the ceremony in the journal',
    approved.map((entry) => entry.groupId),
    groupId,
  ),
  ...differs('keys of wallets', keys.filter(({ keyId }) => keyId !== null).length, 1),
];

const sorted = (lines: readonly string[]): string => [...lines].sort().join(', ');

/** The journal must have one ceremony, and the manifest, the pool and the assigned keys of the rows must match the journal. */
export function keyFaults({ approved, assigned, fleets, keys }: VaultRecords): readonly string[] {
  const [ceremony] = approved;
  const taken = keys.filter(({ keyId }) => keyId !== null);
  const inWords = ({ curve, index, publicKey }: (typeof keys)[number] | NonNullable<typeof ceremony>['keys'][number]) =>
    `${curve} ${index} ${publicKey}`;
  return [
    ...differs('ceremonies in the journal', approved.length, 1),
    ...differs(
      'manifest',
      fleets.map(({ digest }) => digest),
      ceremony?.digest,
    ),
    ...differs('keys of the pool', sorted(keys.map(inWords)), sorted((ceremony?.keys ?? []).map(inWords))),
    ...differs(
      'assigned keys',
      sorted(taken.map(({ keyId, publicKey }) => `${keyId} ${publicKey}`)),
      sorted(assigned.map(({ keyId, publicKeyHex }) => `${keyId} ${publicKeyHex}`)),
    ),
    ...taken.flatMap(({ keyId, publicKey, walletKeys }) =>
      differs(`the wallet of ${keyId}`, walletKeys, `${keyId} ${publicKey} Active`),
    ),
  ];
}
