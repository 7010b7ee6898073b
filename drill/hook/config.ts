import { z } from 'zod';
import { readConfig } from '../../platform/config';

/** The gate can hold every payment, so its address must be on this machine. */
export const HookEnv = z.object({
  DRILL_GATE_URL: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/, error: 'must be an http://127.0.0.1 address' }),
  /**
   * The hook reports a point outside every step under this name. Without this variable the hook does not report such a point.
   */
  DRILL_STEP: z.string().optional(),
});

export const hookConfig = (): z.output<typeof HookEnv> => readConfig(HookEnv, process.env);
