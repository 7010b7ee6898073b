import { ConfigError } from '../platform/config';
import { drillConfig } from './config';
import { openStage } from './stage';

async function main(): Promise<boolean> {
  const stage = await openStage(drillConfig(), { gated: true });
  process.once('SIGTERM', () => void stage.close().then(() => process.exit(130)));
  try {
    return true;
  } finally {
    await stage.close();
  }
}

main().then(
  (passed) => {
    process.exitCode = passed ? 0 : 1;
  },
  (error: unknown) => {
    const words = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${words}\n`);
    process.exit(1);
  },
);
