import { createLogger } from '../../platform/logger';
import { endAtSignal } from '../../platform/process-end';
import { vendorsConfig } from '../config';
import { runProgram } from '../program';
import { createConfidentialAmounts } from './confidential-amounts';
import { createKytA } from './kyt-a';
import { createKytB } from './kyt-b';
import type { VendorPart } from './part';
import { serveVendors } from './server';
import { createTravelRule } from './travel-rule';

export const vendorParts = (): readonly VendorPart[] => [
  createKytA(),
  createKytB(),
  createTravelRule(),
  createConfidentialAmounts(),
];

async function main(): Promise<void> {
  const { VENDORS_PORT: port, LOG_LEVEL } = vendorsConfig();
  const log = createLogger('vendors', LOG_LEVEL);
  const server = await serveVendors({ parts: vendorParts(), port });
  log.info({ url: server.url }, 'the simulated vendors answer');
  endAtSignal(log, () => server.close());
}

if (require.main === module) runProgram(main);
