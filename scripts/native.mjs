// node scripts/native.mjs: compiles the signer's native addon (curve arithmetic in C) for an image, and fails without a compiler.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findNative } from './prepare/native.mjs';
import { Refusal } from './prepare/run.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

try {
  const cacheFolder = process.env.STRONGROOM_CACHE || join(ROOT, '.cache');
  const { detail, value } = await findNative({ root: ROOT, cacheFolder, env: process.env });
  if (!value) throw new Refusal(detail);
  process.stdout.write(`native arithmetic: ${detail}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
