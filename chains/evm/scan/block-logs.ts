import { getAddress } from 'viem';
import type { AbiEntry } from '../../../domain/registry';
import type { ChainLog, LogDefinition } from '../../types';
import { placeOfLog } from './block-movements';
import type { LogReply, ReceiptReply } from './block-schemas';
import { definitionIn, definitionOf, type EventDefinition, type EventIndex, indexOf } from './event-definitions';
import { KNOWN_EVENTS } from './known-events';
import { tokenMoves } from './log-moves';

const WORD_HEX = 64;
const ADDRESS_ZEROS = '0'.repeat(24);

/** The address is in lower case. */
type IsWatched = (address: string) => boolean;

/**
 * The logs that may concern watched addresses, in block order. In each of these logs, a watched address is the contract, or a
 * whole word of the topics or the data. Only the definition of the event shows whether the word is an address.
 */
export const logsIn = (receipts: readonly Pick<ReceiptReply, 'transactionHash' | 'logs'>[], isWatched: IsWatched): ChainLog[] =>
  receipts.flatMap(({ transactionHash: txHash, logs }, index) =>
    logs.flatMap((log, at): ChainLog[] => {
      const addresses = watchedIn(log, isWatched);
      if (addresses.length === 0) return [];
      return [
        {
          ...{ addresses, txHash, contract: getAddress(log.address), ordinal: `log:${at}` },
          ...{ place: placeOfLog(index, at), logIndex: String(BigInt(log.logIndex)) },
          definedBy: (abi) => ofLog(definitionIn(indexOfAbi(abi), log) ?? definitionIn(KNOWN_EVENTS, log), log),
          isTransferOf: (address) => isMoved(log, at, address.toLowerCase()),
        },
      ];
    }),
  );

const isMoved = (log: LogReply, at: number, address: string): boolean =>
  tokenMoves(log, at).some(({ from, to }) => from === address || to === address);

function ofLog(definition: EventDefinition | undefined, log: LogReply): LogDefinition | undefined {
  return definition && { ...definition, decode: () => definition.decode(log) };
}

function watchedIn({ address, topics, data }: LogReply, isWatched: IsWatched): string[] {
  const found = new Set<string>();
  const note = (plain: string): void => {
    if (isWatched(plain)) found.add(getAddress(plain));
  };
  note(address.toLowerCase());
  const noteWord = (hex: string, at: number): void => {
    if (hex.startsWith(ADDRESS_ZEROS, at)) note(`0x${hex.slice(at + ADDRESS_ZEROS.length, at + WORD_HEX).toLowerCase()}`);
  };
  for (const topic of topics.slice(1)) noteWord(topic, 2);
  for (let at = 2; at + WORD_HEX <= data.length; at += WORD_HEX) noteWord(data, at);
  return [...found];
}

/** Each interface is indexed once, for as long as its entries are in memory. */
const indexes = new WeakMap<readonly AbiEntry[], EventIndex>();

function indexOfAbi(abi: readonly AbiEntry[]): EventIndex {
  const known = indexes.get(abi);
  if (known) return known;
  const made = indexOf(abi.map((entry) => definitionOf(entry)));
  indexes.set(abi, made);
  return made;
}
