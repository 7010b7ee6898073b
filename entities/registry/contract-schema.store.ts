import type { NetworkName } from '../../domain/networks';
import type { AbiEntry, ContractSchemaContent, RegistryStatus } from '../../domain/registry';
import type { Reader, Tx } from '../database';
import { ContractSchemaEntity } from './contract-schema.entity';

export type ContractSchemaPage = {
  readonly network?: NetworkName | undefined;
  readonly status: RegistryStatus;
  readonly after: string | undefined;
  readonly limit: number;
};

export const contractSchemaStore = {
  /** Returns false if an active schema already describes this contract. */
  async add(tx: Tx, schema: ContractSchemaContent & Pick<ContractSchemaEntity, 'id'>): Promise<boolean> {
    return tx.insertOnce(ContractSchemaEntity, { orgId: tx.orgId, status: 'Active', version: 1, ...schema });
  },

  async find(reader: Reader, id: string): Promise<ContractSchemaEntity | undefined> {
    return reader.row(ContractSchemaEntity, 'WHERE t.id = $1', [id]);
  },

  async lock(tx: Tx, id: string): Promise<ContractSchemaEntity | undefined> {
    return tx.row(ContractSchemaEntity, 'WHERE t.id = $1 FOR UPDATE', [id]);
  },

  async of(
    reader: Reader,
    { network, contract }: Pick<ContractSchemaContent, 'network' | 'contract'>,
  ): Promise<ContractSchemaEntity | undefined> {
    return reader.row(ContractSchemaEntity, `WHERE t.network = $1 AND t.contract = $2 AND t.status = 'Active'`, [
      network,
      contract,
    ]);
  },

  /** Contracts whose active schema contains a function with this name. The latest schema comes first. */
  async contractsWith(reader: Reader, network: NetworkName, functionName: string, contractsMax: number): Promise<string[]> {
    const rows = await reader.select<{ readonly contract: string }>(
      `SELECT contract FROM contract_schemas WHERE network = $1 AND status = 'Active' AND abi @> $2::jsonb ORDER BY id DESC LIMIT $3`,
      [network, JSON.stringify([{ type: 'function', name: functionName }]), contractsMax],
    );
    return rows.map(({ contract }) => contract);
  },

  /** The events of the active schemas of these contracts. */
  eventsOf: (
    reader: Reader,
    network: NetworkName,
    contracts: readonly string[],
  ): Promise<{ readonly contract: string; readonly abi: readonly AbiEntry[] }[]> =>
    reader.select(
      `SELECT contract, jsonb_path_query_array(abi, '$[*] ? (@.type == "event")') AS abi FROM contract_schemas
       WHERE network = $1 AND contract = ANY($2) AND status = 'Active'`,
      [network, contracts],
    ),

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, { network, status, after, limit }: ContractSchemaPage): Promise<ContractSchemaEntity[]> {
    return reader.rows(
      ContractSchemaEntity,
      `WHERE t.status = $1 AND ($2::text IS NULL OR t.network = $2) AND ($3::text IS NULL OR t.id < $3) ORDER BY t.id DESC LIMIT $4`,
      [status, network ?? null, after ?? null, limit + 1],
    );
  },

  async remove(tx: Tx, { id, version }: ContractSchemaEntity): Promise<void> {
    await tx.update(ContractSchemaEntity, { id }, { status: 'Deleted', version: version + 1, dateUpdated: await tx.clock() });
  },
};
