import { z } from 'zod';
import { readConfig } from '../../platform/config';

/** Variables for the processes that load the drill's hook. The server at the gate can hold every payment. */
export const HookEnv = z.object({
  DRILL_GATE_URL: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/, error: 'must be an http://127.0.0.1 address' }),
  /** The step of a process outside of its own ones; without it such points are not reported. */
  DRILL_STEP: z.string().optional(),
});

export const hookConfig = (): z.output<typeof HookEnv> => readConfig(HookEnv, process.env);
