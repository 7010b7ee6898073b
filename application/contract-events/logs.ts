import { networkOf } from '../../chains/networks';
import type { ChainLog, LogDefinition } from '../../chains/types';
import { type ContractEventData, OMITTED_EVENTS } from '../../domain/contract-events';
import type { NetworkName } from '../../domain/networks';
import type { AbiEntry } from '../../domain/registry';
import type { NewContractEvent } from '../../entities/contract-events/contract-event.store';
import type { Reader } from '../../entities/database';
import { contractSchemaStore } from '../../entities/registry/contract-schema.store';
import type { BlockPlace } from '../../entities/scans/scan.store';
import { derivedId } from '../../platform/ids';
import { listedToken } from '../wallets/asset-info';

export type MinedLog = {
  readonly subjectId: string;
  /** The address of the subject. */
  readonly address: string;
  readonly log: ChainLog;
  readonly block: BlockPlace & { readonly date: Date };
};

/**
 * The maximum number of logs that are decoded for one subject in one block: from each known contract, and from all other
 * contracts together. A known contract is the subject itself, or is listed in the registry or in the network's record. Any
 * stranger can emit well-known events, which must not displace the events of a known contract.
 */
const LOGS_MAX_OF_KNOWN_CONTRACT = 1_000;
const LOGS_MAX_OF_STRANGERS = 100;
/** A longer list of arguments is left out, because one log can contain megabytes. */
const ARGS_CHARS_MAX = 16_384;

const NO_ABI: readonly AbiEntry[] = [];
const STRANGERS = '';

/**
 * The events among these logs. The logs are in the order of the chain. A log is an event of a subject if two conditions hold:
 * the registry's schema of the contract or a well-known event decodes the log, and the subject's address is the contract or one
 * of the decoded addresses. A transfer from or to the address is not an event, because the service records it as a movement.
 */
export async function eventsIn(reader: Reader, name: NetworkName, mined: readonly MinedLog[]): Promise<NewContractEvent[]> {
  const contracts = [...new Set(mined.map(({ log }) => log.contract))];
  const abis = new Map(
    (await contractSchemaStore.eventsOf(reader, name, contracts)).map(({ contract, abi }) => [contract, abi] as const),
  );
  const network = networkOf(name);
  const groups = createGroups();
  const events: NewContractEvent[] = [];
  for (const one of mined) {
    const { log, address } = one;
    const abi = abis.get(log.contract);
    const definition = log.definedBy(abi ?? NO_ABI);
    if (!definition || log.isTransferOf(address)) continue;
    const isKnown = abi !== undefined || log.contract === address || listedToken(network, log.contract) !== undefined;
    if (!groups.admit(one, isKnown ? log.contract : STRANGERS)) continue;
    const data = dataOf(one, definition);
    if (data) events.push(eventOf(name, one, definition.name, data));
  }
  return [...events, ...groups.omitted().map((one) => omittedOf(name, one))];
}

function dataOf({ log: { contract }, address }: MinedLog, definition: LogDefinition): ContractEventData | undefined {
  const { signature, standard } = definition;
  const decoded = definition.decode();
  if (!decoded || (contract !== address && !decoded.addresses.has(address))) return undefined;
  return {
    ...{ kind: 'ContractEvent', contract, signature },
    ...(standard === undefined ? {} : { standard }),
    ...(JSON.stringify(decoded.args).length > ARGS_CHARS_MAX ? {} : { args: decoded.args }),
  };
}

type Omitted = { readonly first: MinedLog; readonly group: string; readonly count: number };

/**
 * Counts the logs of each group. A group is the logs of one subject in one block, from one known contract or from all strangers.
 */
function createGroups() {
  const seen = new Map<string, number>();
  const omitted = new Map<string, Omitted>();
  return {
    admit(one: MinedLog, group: string): boolean {
      const key = `${one.subjectId} ${one.block.hash} ${group}`;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      if (count <= (group === STRANGERS ? LOGS_MAX_OF_STRANGERS : LOGS_MAX_OF_KNOWN_CONTRACT)) return true;
      const before = omitted.get(key);
      omitted.set(key, { first: before?.first ?? one, group, count: (before?.count ?? 0) + 1 });
      return false;
    },
    omitted: (): readonly Omitted[] => [...omitted.values()],
  };
}

function omittedOf(network: NetworkName, { first, group, count }: Omitted): NewContractEvent {
  const contract = group === STRANGERS ? {} : { contract: group };
  return eventOf(network, first, OMITTED_EVENTS, { kind: 'OmittedEvents', ...contract, omitted: count });
}

function eventOf(
  network: NetworkName,
  { subjectId, log: { txHash, ordinal, place, logIndex }, block }: MinedLog,
  name: string,
  data: ContractEventData,
): NewContractEvent {
  return {
    ...{ subjectId, network, name, txHash, logIndex, data },
    // Like the id of a movement, this id does not depend on the block, because a reorganisation can move the transaction.
    id: derivedId('movement', [network, txHash, ordinal, subjectId, data.kind]),
    ...{ blockHeight: String(block.height), blockHash: block.hash, dateMined: block.date, place: String(place) },
    contract: data.contract ?? null,
  };
}
