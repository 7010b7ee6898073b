import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import type { NetworkName } from '../../domain/networks';
import type { ContractSchemaContent, RegistryStatus } from '../../domain/registry';
import type { Reader } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import type { ContractSchemaEntity } from '../../entities/registry/contract-schema.entity';
import { contractSchemaStore } from '../../entities/registry/contract-schema.store';
import { newId } from '../../platform/ids';
import { type WithPendingChange, withPendingChanges } from '../change-requests/pending-changes';
import { type Apply, assertNothingPending, type Changed, makeChange } from '../change-requests/proposals';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { canonicalAddress } from './registry-addresses';
import { type ContractSchemaView, contractSchemaBody, contractSchemaView } from './view';

type Parts = Pick<Services, 'db' | 'dispatcher'>;
type WithPending = WithPendingChange<ContractSchemaView, 'SmartContract'>;
type Page = {
  readonly network?: NetworkName | undefined;
  readonly status: RegistryStatus;
  readonly after: string | undefined;
  readonly limit: number;
};

const notFound = (contractSchemaId: string) => new AppError('NotFound', 'contract schema not found', { contractSchemaId });

/** Throws `NotFound`. */
export async function getContractSchema(reader: Reader, contractSchemaId: string): Promise<WithPending> {
  const [found] = await withPending(reader, [await present(reader, contractSchemaId)]);
  if (!found) throw notFound(contractSchemaId);
  return found;
}

/** Newest first. If there is a next page, returns one row more than `limit`. */
export async function listContractSchemas(reader: Reader, page: Page): Promise<WithPending[]> {
  return withPending(reader, await contractSchemaStore.page(reader, page));
}

const withPending = (reader: Reader, rows: readonly ContractSchemaEntity[]) =>
  withPendingChanges(reader, 'SmartContract', rows, contractSchemaView);

/**
 * Throws `InvalidAddress`, `ChangePending` and `PolicyBlocked`. Throws `Conflict` for a contract that already has an active
 * schema.
 */
export function createContractSchema(
  services: Parts,
  authority: Authority,
  { name, network, contract: given, abi }: ContractSchemaContent,
): Promise<Changed<ContractSchemaView>> {
  const contract = canonicalAddress(network, 'body.contract', given);
  return makeChange(services, authority, async (tx) => {
    // The second of two concurrent requests for the same contract waits here and then fails with `Conflict`.
    await organizationStore.lock(tx);
    if (await contractSchemaStore.of(tx, { network, contract }))
      throw new AppError('Conflict', 'the registry has an active schema of this contract', { network, contract });
    const subject = `contract ${network}/${contract}`;
    await assertNothingPending(tx, subject);
    const id = newId('contractSchema');
    const change: ContractSchemaContent = { name, network, contract, abi };
    return {
      proposal: {
        kind: 'SmartContract',
        operationKind: 'Create',
        entityId: id,
        subject,
        baseVersion: 0,
        before: null,
        change,
        body: contractSchemaBody({ id, status: 'Active', ...change }),
      },
      apply: applyToContractSchema,
      read: (inside) => shown(inside, id),
    };
  });
}

/** Deletes a schema for good. Idempotent. Throws `NotFound`, `ChangePending`, and `PolicyBlocked`. */
export function deleteContractSchema(
  services: Parts,
  authority: Authority,
  contractSchemaId: string,
): Promise<Changed<ContractSchemaView>> {
  return makeChange(services, authority, async (tx) => {
    const row = isId('contractSchema', contractSchemaId) ? await contractSchemaStore.lock(tx, contractSchemaId) : undefined;
    if (!row) throw notFound(contractSchemaId);
    if (row.status === 'Deleted') return { unchanged: contractSchemaView(row) };
    await assertNothingPending(tx, contractSchemaId);
    const { name, network, contract, abi } = row;
    const stored: ContractSchemaContent = { name, network, contract, abi };
    return {
      proposal: {
        kind: 'SmartContract',
        operationKind: 'Delete',
        entityId: row.id,
        subject: row.id,
        baseVersion: row.version,
        before: stored,
        change: stored,
        body: contractSchemaBody({ ...row, status: 'Deleted' }),
      },
      apply: applyToContractSchema,
      read: (inside) => shown(inside, row.id),
    };
  });
}

/** A deletion requires that the schema still has the version that the request was based on. */
export const applyToContractSchema: Apply = async (tx, { operationKind, entityId, baseVersion, change }) => {
  if (operationKind === 'Create') {
    const added = await contractSchemaStore.add(tx, { id: entityId, ...(change as ContractSchemaContent) });
    return added ? undefined : 'The registry now has an active schema of this contract';
  }
  const row = await contractSchemaStore.lock(tx, entityId);
  if (row?.status !== 'Active' || row.version !== baseVersion) return 'The schema has changed since this was requested';
  await contractSchemaStore.remove(tx, row);
  return undefined;
};

async function present(reader: Reader, contractSchemaId: string): Promise<ContractSchemaEntity> {
  const row = isId('contractSchema', contractSchemaId) ? await contractSchemaStore.find(reader, contractSchemaId) : undefined;
  if (!row) throw notFound(contractSchemaId);
  return row;
}

const shown = async (reader: Reader, contractSchemaId: string): Promise<ContractSchemaView> =>
  contractSchemaView(await present(reader, contractSchemaId));
