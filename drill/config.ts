import { z } from 'zod';
import { JsonText, readConfig } from '../platform/config';

const DrillConfig = z.object({
  STRONGROOM_DATA: z.string({ error: 'the data folder of the drill is missing' }),
  /** The paths of Postgres, Temporal and the local chain, and the commands of other nodes, as JSON. */
  DRILL_PARTS: JsonText.pipe(z.record(z.string(), z.unknown())),
  /** The local networks in addition to the EVM chain, separated by commas. */
  LOCAL_NETWORKS: z.string().default(''),
});

export type DrillConfig = z.output<typeof DrillConfig>;

/** Throws a `ConfigError` that lists every wrong setting. */
export const drillConfig = (): DrillConfig => readConfig(DrillConfig, process.env);
