import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run } from './run.mjs';

const ANSWER_WITHIN_MS = 15_000;
const DOWNLOAD_WITHIN_MS = 300_000;

/** Fetches and unpacks an archive from temporal.download. Returns the name of the program in the archive. */
export async function downloadTemporal(artifact, version, folder) {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  if (!arch) throw new Error(`there is no archive for ${process.platform} ${process.arch}`);
  const question = new URL(`https://temporal.download/${artifact}/${version}`);
  question.search = new URLSearchParams({ platform: process.platform, arch, format: 'tar.gz' }).toString();
  const { archiveUrl, fileToExtract } = await (await get(question, ANSWER_WITHIN_MS)).json();
  if (
    typeof archiveUrl !== 'string' ||
    typeof fileToExtract !== 'string' ||
    fileToExtract.startsWith('/') ||
    fileToExtract.includes('..')
  ) {
    throw new Error('temporal.download returned an unexpected reply');
  }
  const archive = join(folder, 'archive.tar.gz');
  const reply = await get(archiveUrl, DOWNLOAD_WITHIN_MS);
  await pipeline(Readable.fromWeb(reply.body), createWriteStream(archive));
  await run('tar', ['-xzf', archive, '-C', folder]);
  await rm(archive);
  return fileToExtract;
}

async function get(url, withinMs) {
  let reply;
  try {
    reply = await fetch(url, { signal: AbortSignal.timeout(withinMs) });
  } catch (error) {
    throw new Error(`${new URL(url).host} does not answer (${error.cause?.code ?? error.name})`);
  }
  if (!reply.ok) throw new Error(`${new URL(url).host} answers ${reply.status}`);
  return reply;
}
