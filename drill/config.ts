import { z } from 'zod';
import { JsonText, readConfig } from '../platform/config';

const DrillConfig = z.object({
  STRONGROOM_DATA: z.string({ error: 'the data folder of the drill is missing' }),
  /** The results of the preparation: the paths of Postgres, Temporal and the local chain, and how to start other nodes. */
  DRILL_PARTS: JsonText.pipe(z.record(z.string(), z.unknown())),
  /** Additional nodes, separated by commas. */
  LOCAL_NETWORKS: z.string().default(''),
});

export type DrillConfig = z.output<typeof DrillConfig>;

/** The settings of the drill; throws a ConfigError that lists every fault. `npm run drill` sets them. */
export const drillConfig = (): DrillConfig => readConfig(DrillConfig, process.env);
