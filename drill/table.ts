import type { Point } from './kill-points';
import type { Outcome, Victim } from './round';

/** A row per point and a column per victim. A `-` stands for a point at which the drill did not kill this victim. */
export function tableOf(points: readonly Point[], victims: readonly Victim[], outcomes: readonly Outcome[]): string {
  const width = Math.max(...points.map(({ name }) => name.length));
  const columns = victims.map((victim) => Math.max(victim.length, 4));
  const line = (name: string, words: readonly string[]) =>
    `| ${name.padEnd(width)} | ${words.map((word, index) => word.padEnd(columns[index] ?? 0)).join(' | ')} |`;
  const rule = `|-${'-'.repeat(width)}-|-${columns.map((one) => '-'.repeat(one)).join('-|-')}-|`;
  const wordOf = (point: Point, victim: Victim) => {
    const found = outcomes.find((one) => one.point === point && one.victim === victim);
    if (!found) return '-';
    return found.faults.length === 0 ? 'ok' : 'FAIL';
  };
  const rows = points.map((point) =>
    line(
      point.name,
      victims.map((victim) => wordOf(point, victim)),
    ),
  );
  return [line('killed at', victims), rule, ...rows].join('\n');
}

export const faultsIn = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap(({ point, victim, faults }) => faults.map((fault) => `${victim} killed at "${point.name}": ${fault}`));
