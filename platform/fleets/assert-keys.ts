import type { FleetCurve } from '../../domain/fleets';
import { assertFleet } from './checks';
import type { FleetKey } from './inputs';
import { isProvenKey, type ProofPlace, type ProvenKey } from './key-proofs';

/** Few enough that other uses of the thread pool, such as files and names of hosts, do not wait long. */
const PROOFS_AT_ONCE = 8;

type KeyCounts = Readonly<Record<FleetCurve, number>>;

const placeOf = ({ curve, index }: Pick<FleetKey, 'curve' | 'index'>): string => `${curve} key ${index}`;

/** Throws `FleetFault` unless the keys are exactly the next ones of both curves, in order, and none is known. */
export function assertNewKeys(
  keys: readonly ProvenKey[],
  from: KeyCounts,
  counts: KeyCounts,
  knownKeys: ReadonlySet<string>,
): void {
  assertFleet('Counts', keys.length === counts.secp256k1 + counts.ed25519);
  for (const curve of ['secp256k1', 'ed25519'] as const satisfies readonly FleetCurve[]) {
    const ofCurve = keys.filter((key) => key.curve === curve);
    assertFleet('Counts', ofCurve.length === counts[curve], curve);
    for (const [at, key] of ofCurve.entries()) assertFleet('KeyRange', key.index === from[curve] + at, placeOf(key));
  }
  assertDistinct(keys);
  for (const key of keys) assertFleet('KnownKey', !knownKeys.has(key.publicKey), placeOf(key));
}

function assertDistinct(keys: readonly ProvenKey[]): void {
  const seen = new Set<string>();
  for (const key of keys) {
    assertFleet('DuplicateKey', !seen.has(key.publicKey), placeOf(key));
    seen.add(key.publicKey);
  }
}

/** Throws `FleetFault` unless the new device derives the same keys, which shows that it has the fleet's master secret. */
export function assertChallenged(keys: readonly ProvenKey[], challenge: readonly FleetKey[]): void {
  assertFleet('Counts', keys.length === challenge.length);
  for (const [at, { curve, index, publicKey }] of challenge.entries()) {
    const key = keys[at];
    const isSameKey = key?.curve === curve && key.index === index && key.publicKey === publicKey;
    assertFleet('Challenge', isSameKey, placeOf({ curve, index }));
  }
}

export async function assertProven(keys: readonly ProvenKey[], place: ProofPlace): Promise<void> {
  for (let at = 0; at < keys.length; at += PROOFS_AT_ONCE) {
    const some = keys.slice(at, at + PROOFS_AT_ONCE);
    const areProven = await Promise.all(some.map((key) => isProvenKey(key, place)));
    for (const [index, key] of some.entries()) assertFleet('ProofOfPossession', areProven[index] === true, placeOf(key));
  }
}
