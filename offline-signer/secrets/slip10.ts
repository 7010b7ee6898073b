import { createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { FLEET_CURVES, type FleetCurve } from '../../domain/fleets';

const HARDENED = 2 ** 31;
const HALF = 32;
const SALTS = { secp256k1: 'Bitcoin seed', ed25519: 'ed25519 seed' } as const satisfies Readonly<Record<FleetCurve, string>>;
const ORDER = secp256k1.Point.Fn.ORDER;

const numberIn = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
const isKey = (key: Buffer): boolean => numberIn(key) > 0n && numberIn(key) < ORDER;

/** Both functions wipe the chain that they are given. */
type NextChain = (chain: Buffer, parent: Buffer) => Buffer | undefined;

const NEXT_CHAIN = {
  /** Undefined in the one case in 2^127 that SLIP-10 repeats. */
  secp256k1(chain, parent) {
    if (numberIn(chain.subarray(0, HALF)) >= ORDER) return undefined;
    const key = (numberIn(chain.subarray(0, HALF)) + numberIn(parent.subarray(0, HALF))) % ORDER;
    if (key === 0n) return undefined;
    chain.write(key.toString(16).padStart(2 * HALF, '0'), 'hex');
    return chain;
  },
  ed25519: (chain) => chain,
} as const satisfies Readonly<Record<FleetCurve, NextChain>>;

function rootOf(curve: FleetCurve, seed: Buffer): Buffer {
  const root = createHmac('sha512', SALTS[curve]).update(seed).digest();
  if (curve === 'secp256k1' && !isKey(root.subarray(0, HALF))) throw new Error('the seed gives no key');
  return root;
}

function childOf(curve: FleetCurve, parent: Buffer, level: number): Buffer {
  const data = Buffer.alloc(1 + HALF + 4);
  parent.copy(data, 1, 0, HALF);
  data.writeUInt32BE(level + HARDENED, 1 + HALF);
  try {
    for (;;) {
      const chain = createHmac('sha512', parent.subarray(HALF)).update(data).digest();
      const next = NEXT_CHAIN[curve](chain, parent);
      if (next) return next;
      data[0] = 1;
      chain.copy(data, 1, HALF);
    }
  } finally {
    data.fill(0);
    parent.fill(0);
  }
}

/** SLIP-10 with hardened levels only. Returns 32 bytes, which the caller wipes. */
export function deriveHardened(curve: FleetCurve, seed: Buffer, levels: readonly number[]): Buffer {
  let chain = rootOf(curve, seed);
  for (const level of levels) {
    if (!Number.isInteger(level) || level < 0 || level >= HARDENED) throw new Error('a level is out of range');
    chain = childOf(curve, chain, level);
  }
  const key = Buffer.from(chain.subarray(0, HALF));
  chain.fill(0);
  return key;
}

/** The secret of the key with this index of the fleet, which the caller wipes. */
export const fleetSecret = (master: Buffer, curve: FleetCurve, index: number): Buffer =>
  deriveHardened(curve, master, [FLEET_CURVES[curve], index]);
