import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const Manifest = z.object({ name: z.literal('strongroom'), version: z.string() });

/** The folder with our package.json. Both the sources and the compiled code are below this folder. */
export function releaseFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    if (readManifest(folder)) return folder;
    if (folder === dirname(folder)) throw new Error('There is no package.json of strongroom above the code');
  }
}

export function releaseVersion(): string {
  const manifest = readManifest(releaseFolder());
  if (!manifest) throw new Error('The package.json of strongroom is missing');
  return manifest.version;
}

function readManifest(folder: string): z.output<typeof Manifest> | undefined {
  try {
    return Manifest.safeParse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
