import { z } from 'zod';
import { readConfig } from '../../platform/config';

/**
 * The gate can hold every payment, so the gate is on this machine. The gate has a unix socket, because the signer may open only
 * unix sockets.
 */
export const HookEnv = z.object({
  DRILL_GATE_SOCKET: z.string().startsWith('/', { error: 'must be the absolute path of a unix socket' }),
  /**
   * The step name under which the hook reports a point outside every step. Without this variable the hook does not report such a
   * point.
   */
  DRILL_STEP: z.string().optional(),
});

export const hookConfig = (): z.output<typeof HookEnv> => readConfig(HookEnv, process.env);
