/** The outcomes of the attempts of one kind. */
type Row = { attempts: number; readonly refused: Map<string, number>; accepted: number; gains: number; notMade: number };

const REASONS_SHOWN = 6;

/** Counts attempts by their kind, and refusals by their reason. */
export function createTally() {
  const rows = new Map<string, Row>();
  const rowOf = (kind: string): Row => {
    const row = rows.get(kind) ?? { attempts: 0, refused: new Map(), accepted: 0, gains: 0, notMade: 0 };
    rows.set(kind, row);
    return row;
  };
  const sum = (value: (row: Row) => number) => [...rows.values()].reduce((total, row) => total + value(row), 0);
  return {
    /** Counts an attempt for which the genuine order did not contain anything to change. */
    notMade: (kind: string): void => {
      rowOf(kind).notMade += 1;
    },
    refused(kind: string, reason: string): void {
      const row = rowOf(kind);
      row.attempts += 1;
      row.refused.set(reason, (row.refused.get(reason) ?? 0) + 1);
    },
    accepted(kind: string, isGain: boolean): void {
      const row = rowOf(kind);
      row.attempts += 1;
      row.accepted += 1;
      if (isGain) row.gains += 1;
    },
    attempts: () => sum(({ attempts }) => attempts),
    reasons: (): ReadonlySet<string> => new Set([...rows.values()].flatMap(({ refused }) => [...refused.keys()])),
    /** A line for each kind. `no gain` counts accepted orders without a gain for the attacker. */
    lines(): readonly string[] {
      const width = Math.max(...[...rows.keys()].map((kind) => kind.length), 4);
      return [...rows]
        .sort(([one], [other]) => one.localeCompare(other))
        .map(([kind, { attempts, refused, accepted, gains, notMade }]) => {
          const sorted = [...refused].sort(([, one], [, other]) => other - one);
          const shown = sorted.slice(0, REASONS_SHOWN).map(([reason, count]) => `${reason} ${count}`);
          const rest = sorted.slice(REASONS_SHOWN).reduce((total, [, count]) => total + count, 0);
          const reasons = [...shown, ...(rest > 0 ? [`others ${rest}`] : [])].join(', ');
          const refusals = attempts - accepted;
          return `${kind.padEnd(width)} | ${attempts} attempts | ${refusals} refused (${reasons}) | ${accepted - gains} no gain | ${gains} succeeded | ${notMade} not made`;
        });
    },
  };
}
