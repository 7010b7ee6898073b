import { type Dice, pick } from '../dice';
import { type CallOp, call, create, createTwo, INVALID, log, REVERT, STOP, selfDestruct } from './evm-program';

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const CONFIDENTIAL = '67500e8d0ed826d2194f514dd0d8124f35648ab6e3fb5e6ed867134cffe661e9';
const APPROVAL = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const TOPICS_MAX = 4;
const DEPTH_MAX = 3;
const STEPS_MAX = 3;
const SALTS = 1_000_000;
const OPS: readonly [CallOp, ...CallOp[]] = ['CALL', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'];

type Places = { readonly parties: readonly [string, ...string[]]; readonly runner: string };

const word = (hex: string) => hex.padStart(64, '0');
const wordOf = (address: string) => word(address.slice(2).toLowerCase());

/** A log that looks like a transfer of a token: any contract can write one. Half of these logs have a defect. */
function transferLog(roll: Dice, { parties }: Places): string {
  const [from, to, number] = [wordOf(pick(roll, parties)), wordOf(pick(roll, parties)), word(roll(4).toString(16))];
  const sound = pick(roll, [
    { topics: [TRANSFER, from, to], data: number },
    { topics: [TRANSFER, from, to, number], data: '' },
    { topics: [CONFIDENTIAL, from, to, number], data: '' },
  ]);
  const [name = TRANSFER, ...others] = sound.topics;
  const defects: readonly [() => typeof sound, ...(() => typeof sound)[]] = [
    () => ({ ...sound, topics: [name, `01${from.slice(2)}`, ...others.slice(1)] }),
    () => ({ ...sound, topics: [name, from, `01${to.slice(2)}`, ...others.slice(2)] }),
    () => ({ ...sound, topics: sound.topics.slice(0, roll(sound.topics.length)) }),
    () => ({ ...sound, topics: [...sound.topics, number].slice(0, TOPICS_MAX) }),
    () => ({ ...sound, topics: [APPROVAL, ...others] }),
    () => ({ ...sound, data: `${sound.data}00` }),
    () => ({ ...sound, data: sound.data + number }),
    () => ({ ...sound, data: sound.data.slice(2) }),
  ];
  const { topics, data } = roll(2) === 0 ? sound : pick(roll, defects)();
  return log(topics, data);
}

/** A program that moves value in every way that the machine knows, at several depths, and may undo all or a part of it. */
export function randomProgram(roll: Dice, places: Places, depth = 0): string {
  const { parties, runner } = places;
  const nested = () => (depth < DEPTH_MAX ? randomProgram(roll, places, depth + 1) : STOP);
  // Sometimes more than the program has.
  const value = () => BigInt(roll(6) === 0 ? roll(1_000_000) : roll(8));
  const step = (): string => {
    const kind = roll(8);
    if (kind < 3) return call('CALL', pick(roll, parties), value());
    if (kind < 5) return call(pick(roll, OPS), runner, value(), nested());
    if (kind === 5) return roll(2) === 0 ? create(value(), nested()) : createTwo(value(), nested(), roll(SALTS));
    return transferLog(roll, places);
  };
  const steps = Array.from({ length: 1 + roll(STEPS_MAX) }, step).join('');
  const end = roll(10);
  if (end < 2) return steps + REVERT;
  if (end === 2) return steps + INVALID;
  return steps + (end < 6 ? selfDestruct(pick(roll, parties)) : STOP);
}
