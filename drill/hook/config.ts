import { z } from 'zod';
import { readConfig } from '../../platform/config';

/** Variables of processes that load the drill's hook. The gate can hold every payment, so it must be on this machine. */
export const HookEnv = z.object({
  DRILL_GATE_URL: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/, error: 'must be an http://127.0.0.1 address' }),
  /** The step name under which points outside any step are reported. Without this name such points are not reported. */
  DRILL_STEP: z.string().optional(),
});

export const hookConfig = (): z.output<typeof HookEnv> => readConfig(HookEnv, process.env);
