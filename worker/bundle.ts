import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/**
 * The size of the bundle is about 1,650 KiB, mostly Temporal's own code. zod would add 1,000 KiB, and TypeORM would add 7,000
 * KiB.
 */
export const BUNDLE_KIB_MAX = 2_000;

/** A prebuilt bundle contains these modules. */
export const INTERCEPTOR_MODULES: readonly string[] = [require.resolve('../workflows/interceptors')];

/**
 * Fails above the size limit, so that no workflow imports a driver or a schema library. webpack only warns about such an
 * import, because many of these libraries have a build for browsers.
 */
export async function bundleWorkflows(workflowsPath = require.resolve('../workflows')): Promise<string> {
  const faults: string[] = [];
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [...INTERCEPTOR_MODULES],
    failureConverterPath: require.resolve('../platform/failure-converter'),
    logger: new DefaultLogger('ERROR', ({ message }) => faults.push(message)),
  }).catch((error: unknown) => {
    throw new Error(`The workflows cannot be bundled:\n${faults.join('\n')}`, { cause: error });
  });
  const sizeKiB = Math.ceil(Buffer.byteLength(code) / 1024);
  if (sizeKiB > BUNDLE_KIB_MAX) {
    throw new Error(`The workflow bundle is ${sizeKiB} KiB; the limit is ${BUNDLE_KIB_MAX} KiB: see what workflows/ imports`);
  }
  return code;
}

async function main(): Promise<void> {
  const file = join(__dirname, '..', 'workflow-bundle.js');
  const code = await bundleWorkflows();
  // A worker that starts at the same time reads the old bundle or the new bundle, never an incomplete bundle.
  writeFileSync(`${file}.partial`, code);
  renameSync(`${file}.partial`, file);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
