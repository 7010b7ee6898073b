import { randomFillSync } from 'node:crypto';
import type { ScanSource } from '../../chains/types';

/** At most this part of the slots is in use, so that a search ends after a few steps. */
const LOAD_MAX = 0.75;
const SLOTS_MIN = 64;
const EMPTY = -1;
const BYTE_VALUES = 256;

export type AddressTable = {
  readonly size: () => number;
  /** Ignores an address that is already in the table. */
  readonly add: (plain: string) => void;
  readonly has: (plain: string) => boolean;
};

/**
 * A set of addresses in a hash table with open addressing. The table needs about 27 bytes for each address of an EVM network, and
 * a `Set` of strings would need 104. Anyone can watch addresses of their choice, so the hash must not be predictable: with many
 * addresses in one slot, one organisation would slow down the network for all. Simple tabulation hashing with secret random words
 * takes a constant expected number of steps for any set of addresses (Pătraşcu and Thorup, "The Power of Simple Tabulation
 * Hashing", 2012).
 */
export function createAddressTable({ bytes, write }: ScanSource['key']): AddressTable {
  let keys = Buffer.alloc(SLOTS_MIN * bytes);
  let slots = new Int32Array(SLOTS_MIN).fill(EMPTY);
  let size = 0;
  const asked = Buffer.alloc(bytes);
  const words = randomFillSync(new Uint32Array(bytes * BYTE_VALUES));

  const hashOf = (key: Buffer): number => {
    let hash = 0;
    for (let place = 0; place < bytes; place += 1) hash ^= words[place * BYTE_VALUES + (key[place] ?? 0)] ?? 0;
    return hash >>> 0;
  };

  /** The slot of the key, or the empty slot where the key would be. */
  const slotOf = (key: Buffer, within: Int32Array): number => {
    let slot = Math.floor((hashOf(key) / 2 ** 32) * within.length);
    for (;;) {
      const index = within[slot] ?? EMPTY;
      if (index === EMPTY || keys.compare(key, 0, bytes, index * bytes, (index + 1) * bytes) === 0) return slot;
      slot = slot + 1 === within.length ? 0 : slot + 1;
    }
  };

  const grow = (): void => {
    const more = new Int32Array(slots.length * 2).fill(EMPTY);
    for (let index = 0; index < size; index += 1) more[slotOf(keys.subarray(index * bytes, (index + 1) * bytes), more)] = index;
    slots = more;
  };

  return {
    size: () => size,
    has: (plain) => {
      write(plain, asked);
      return slots[slotOf(asked, slots)] !== EMPTY;
    },
    add: (plain) => {
      write(plain, asked);
      const slot = slotOf(asked, slots);
      if (slots[slot] !== EMPTY) return;
      if ((size + 1) * bytes > keys.length) keys = Buffer.concat([keys], Math.ceil(keys.length * 1.5));
      asked.copy(keys, size * bytes);
      slots[slot] = size;
      size += 1;
      if (size > slots.length * LOAD_MAX) grow();
    },
  };
}
