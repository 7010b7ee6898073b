import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from 'viem';
import type { AbiEntry } from '../../../domain/registry';
import type { DecodedLog, JsonValue } from '../../types';
import { type AbiType, decoded, isDynamic, named, namesOf, type Parameter, typesOf } from './abi-values';
import type { LogReply } from './block-schemas';

type Log = Pick<LogReply, 'topics' | 'data'>;

export type EventDefinition = {
  readonly name: string;
  readonly signature: string;
  readonly topic: string;
  readonly standard?: string;
  /** The number of topics in a log of this event, including the first topic. */
  readonly topics: number;
  readonly decode: (log: Log) => DecodedLog | undefined;
};

/**
 * Undefined for an entry that is not an event, and for an event with a type that is unknown or has no bytes. Also undefined for
 * an anonymous event, because its logs have no topic that identifies the event.
 */
export function definitionOf(entry: AbiEntry, standard?: string): EventDefinition | undefined {
  const { type, name, inputs, anonymous } = entry;
  if (type !== 'event' || typeof name !== 'string' || !Array.isArray(inputs) || anonymous === true) return undefined;
  const parameters = inputs as readonly Parameter[];
  const types = typesOf(parameters);
  if (!types) return undefined;
  const isIndexed = parameters.map(({ indexed }) => indexed === true);
  const signature = `${name}(${types.map(({ canonical }) => canonical).join(',')})`;
  const names = namesOf(parameters);
  return {
    ...{ name, signature, topic: bytesToHex(keccak_256(new TextEncoder().encode(signature))) },
    ...(standard === undefined ? {} : { standard }),
    topics: 1 + isIndexed.filter(Boolean).length,
    decode: (log) => decodedLog(log, { types, isIndexed, names }),
  };
}

type Form = { readonly types: readonly AbiType[]; readonly isIndexed: readonly boolean[]; readonly names: readonly string[] };

function decodedLog({ topics, data }: Log, { types, isIndexed, names }: Form): DecodedLog | undefined {
  const addresses = new Set<string>();
  const note = (address: string) => void addresses.add(address);
  const unindexed = decoded(
    types.filter((_, at) => !isIndexed[at]),
    data,
    note,
  );
  if (!unindexed) return undefined;
  const values: JsonValue[] = [];
  let topicAt = 1;
  let valueAt = 0;
  for (const [at, type] of types.entries()) {
    const value = isIndexed[at] ? ofTopic(type, topics[topicAt++] ?? '', note) : unindexed[valueAt++];
    if (value === undefined) return undefined;
    values.push(value);
  }
  return { args: named(names, values), addresses };
}

/** For an array, a tuple and any value that is longer than a word, a topic contains only the hash of the value. */
function ofTopic(type: AbiType, topic: string, note: (address: string) => void): JsonValue | undefined {
  if (isDynamic(type) || type.kind !== 'Word') return topic.toLowerCase();
  return decoded([type], topic, note)?.[0];
}

export type EventIndex = ReadonlyMap<string, EventDefinition>;

const keyOf = (topic: string, topics: number): string => `${topic} ${topics}`;

/**
 * The events of an interface, by topic and number of topics. Two events with the same types can differ in the number of indexed
 * parameters, such as `Approval` of ERC-20 and of ERC-721.
 */
export function indexOf(definitions: readonly (EventDefinition | undefined)[]): EventIndex {
  const known = new Map<string, EventDefinition>();
  for (const definition of definitions) {
    if (!definition) continue;
    const key = keyOf(definition.topic, definition.topics);
    if (!known.has(key)) known.set(key, definition);
  }
  return known;
}

export const definitionIn = (index: EventIndex, { topics: [topic = '', ...others] }: Log): EventDefinition | undefined =>
  index.get(keyOf(topic.toLowerCase(), 1 + others.length));
