import { z } from 'zod';
import { readConfig } from '../../platform/config';

/** What the drill gives to the processes into which it loads its hook. Whoever answers at the gate can hold every payment. */
export const HookEnv = z.object({
  DRILL_GATE_URL: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/, error: 'must be an http://127.0.0.1 address' }),
  /** The step that a process is in outside of its own ones; without it such points are not reported. */
  DRILL_STEP: z.string().optional(),
});

export const hookConfig = (): z.output<typeof HookEnv> => readConfig(HookEnv, process.env);
