import { createLogger } from '../../platform/logger';
import { vendorsConfig } from '../config';
import { createKytA } from './kyt-a';
import { createKytB } from './kyt-b';
import type { VendorPart } from './part';
import { serveVendors } from './server';
import { createTravelRule } from './travel-rule';

/** Every simulated vendor of the local trial. */
export const vendorParts = (): readonly VendorPart[] => [createKytA(), createKytB(), createTravelRule()];

async function main(): Promise<void> {
  const { VENDORS_PORT: port, LOG_LEVEL } = vendorsConfig();
  const log = createLogger('vendors', LOG_LEVEL);
  const server = await serveVendors({ parts: vendorParts(), port });
  log.info({ url: server.url }, 'the simulated vendors answer');
  const stop = () => void server.close().then(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
