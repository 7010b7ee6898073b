import type { Stage } from '../rig';
import { chainDown } from './chain-down';
import { clocks } from './clock';
import { connectionsExhausted } from './database';
import { diskFaults } from './disk';
import type { Fault, Finding } from './fault';
import { openScene } from './fixture';
import { nodeLies } from './node-lies';
import { signerDown, signerSlow, signerSocketGone } from './signer';
import { temporalDown } from './temporal';
import { twoOfEach } from './two-of-each';

/** `twoOfEach` comes last, because this fault leaves a second worker and a second API running. */
export const FAULTS: readonly Fault[] = [
  signerSlow,
  signerDown,
  signerSocketGone,
  ...diskFaults,
  connectionsExhausted,
  temporalDown,
  chainDown,
  ...nodeLies,
  ...clocks,
  twoOfEach,
];

type Options = {
  readonly say: (line: string) => void;
  /** Limits the run to the faults whose name contains this text. */
  readonly only?: string | undefined;
  readonly outageMs?: number;
};
export type Counted = { readonly passed: number; readonly failed: number };

const OUTAGE_MS = 60_000;

/** Runs the faults, and prints the table of results. */
export async function runFaults(stage: Stage, { say, only = '', outageMs = OUTAGE_MS }: Options): Promise<Counted> {
  const scene = await openScene(stage, { outageMs, say });
  let [passed, failed] = [0, 0];
  for (const fault of FAULTS.filter(({ name }) => name.includes(only))) {
    const started = performance.now();
    const findings = await fault
      .run(scene)
      .catch((error: unknown): readonly Finding[] => [
        { had: 'the drill itself finishes', seen: false, note: error instanceof Error ? error.message : String(error) },
      ]);
    say(`\n${fault.name} (${Math.round((performance.now() - started) / 1000)} s): ${fault.done}`);
    for (const { had, seen, note } of findings) {
      if (seen) passed += 1;
      else failed += 1;
      say(`  ${seen ? 'seen    ' : 'NOT SEEN'}  ${had}${note === undefined ? '' : `: ${note}`}`);
    }
  }
  say(`\n${passed} requirements met, ${failed} not`);
  return { passed, failed };
}
