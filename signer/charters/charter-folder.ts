import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../platform/logger';
import { parseStrictJson } from '../../platform/strict-json';
import { replaceFile } from '../record/replace-file';
import { Refusal } from '../wire/refusal';
import { CHARTER_BYTES_MAX, SignedCharter } from './charter';
import type { Charters } from './charters';

const LOOK_EVERY_MS = 1_000;
/** JSON may write each character of the charter as six. */
const OFFER_BYTES_MAX = 6 * CHARTER_BYTES_MAX + 1_024;
export const OFFERED = '.offered';
export const OUTCOME = '.outcome';
export const charterFolder = (stateDir: string): string => join(stateDir, 'charters');

/** `Adopted`, or the reason why the signer refused the charter. */
async function outcomeOf(charters: Charters, path: string): Promise<string> {
  const found = await lstat(path);
  const isReadable = found.isFile() && found.size <= OFFER_BYTES_MAX;
  const json = isReadable ? parseStrictJson(await readFile(path)) : undefined;
  const offer = json?.ok ? SignedCharter.safeParse(json.value).data : undefined;
  if (!offer) return 'CharterMalformed';
  try {
    await charters.adopt(offer);
    return 'Adopted';
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

/**
 * Takes charters from files that the operator puts into the state folder, and answers each with a file. So neither the API nor
 * the worker can withhold a charter.
 */
export function watchCharters(stateDir: string, charters: Charters, logger: Logger): { close(): Promise<void> } {
  const folder = charterFolder(stateDir);
  const take = async (name: string): Promise<void> => {
    const path = join(folder, name);
    const charter = name.slice(0, -OFFERED.length);
    try {
      const outcome = await outcomeOf(charters, path);
      logger.warn(`the charter ${charter} was offered: ${outcome}`);
      await replaceFile(path.replace(/\.offered$/, OUTCOME), (put) => put(outcome));
      await rm(path, { recursive: true });
    } catch (error) {
      // The next offers must not wait for this one.
      logger.error({ err: error }, `the offered charter ${charter} could not be taken`);
    }
  };
  const look = async (): Promise<void> => {
    try {
      if (!existsSync(folder)) return;
      const names = (await readdir(folder)).filter((name) => name.endsWith(OFFERED));
      const offers = await Promise.all(names.map(async (name) => ({ name, at: (await lstat(join(folder, name))).mtimeMs })));
      // A charter names the one before, so charters are taken in the order in which the operator put them there.
      for (const { name } of offers.sort((one, other) => one.at - other.at)) await take(name);
    } catch (error) {
      logger.error({ err: error }, 'the offered charters could not be read');
    }
  };
  let looking: Promise<void> | undefined;
  const lookAgain = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  };
  lookAgain();
  const timer = setInterval(lookAgain, LOOK_EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
