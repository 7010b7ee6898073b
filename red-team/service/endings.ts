import type { Ending } from './traffic';

const REASON_CHARS = 160;
const REASONS_SHOWN = 12;
const ID = /[a-z]{2,3}-[0-9a-z]{5}-[0-9a-z]{5}-[0-9a-z]{16}/g;

/** Counts how the stories of people ended, for each kind of story. */
export function createEndings() {
  const counts = new Map<string, { asAsked: number; hindered: number }>();
  const reasons = new Map<string, number>();
  return {
    note(name: string, ending: Ending): void {
      const row = counts.get(name) ?? { asAsked: 0, hindered: 0 };
      counts.set(name, row);
      if (ending === 'Done') {
        row.asAsked += 1;
        return;
      }
      row.hindered += 1;
      const reason = ending.hindered.replace(ID, '…').slice(0, REASON_CHARS);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    },
    lines(): readonly string[] {
      const sorted = [...reasons].sort(([, one], [, other]) => other - one).slice(0, REASONS_SHOWN);
      return [
        ...[...counts].map(([name, { asAsked, hindered }]) => `${name.padEnd(24)} | ${asAsked} as asked | ${hindered} hindered`),
        ...sorted.map(([reason, count]) => `  ${count} × ${reason}`),
      ];
    },
  };
}
