import { Unreadable } from './decoder-bytes';

/** Checks the data after the type in a key. */
type KeyData = (data: Buffer) => boolean;
type Rules = Readonly<Record<number, KeyData>>;

const none: KeyData = ({ length }) => length === 0;
const xOnly: KeyData = ({ length }) => length === 32;
const publicKey: KeyData = (data) =>
  (data.length === 33 && (data[0] === 2 || data[0] === 3)) || (data.length === 65 && data[0] === 4);
/**
 * The rule for members of PSBT version 2. Software that reads these members would see data that the unsigned transaction lacks.
 */
const never: KeyData = () => false;

/** Key types of BIP174, BIP370 and BIP371 whose data is checked. A key of any other type is accepted. */
export const GLOBAL_KEYS: Rules = {
  0: none,
  1: ({ length }) => length === 78,
  ...{ 2: never, 3: never, 4: never, 5: never, 6: never },
  251: none,
};
export const INPUT_KEYS: Rules = {
  ...{ 0: none, 1: none, 2: publicKey, 3: none, 4: none, 5: none, 6: publicKey, 7: none, 8: none },
  ...{ 14: never, 15: never, 16: never, 17: never, 18: never },
  19: none,
  20: ({ length }) => length === 64,
  21: ({ length }) => length >= 33 && length % 32 === 1,
  ...{ 22: xOnly, 23: none, 24: none },
};
export const OUTPUT_KEYS: Rules = {
  ...{ 0: none, 1: none, 2: publicKey, 3: never, 4: never, 5: none, 6: none, 7: xOnly },
};

/** Throws `Unreadable` if a key has unexpected data after a known type: other software could read the key differently. */
export function assertKeys(map: ReadonlyMap<string, Buffer>, rules: Rules): void {
  for (const name of map.keys()) {
    const key = Buffer.from(name, 'hex');
    const rule = rules[key.readUInt8()];
    if (rule && !rule(key.subarray(1))) throw new Unreadable('a key has the wrong length for its type');
  }
}
