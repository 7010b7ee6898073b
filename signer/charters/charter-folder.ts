import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../platform/logger';
import { parseStrictJson } from '../../platform/strict-json';
import type { KeyStoreChanges } from '../key-stores/change-key-stores';
import { KEY_STORE_FILE_BYTES_MAX, KEY_STORE_MARK, readSignedKeyStoreEntry } from '../key-stores/key-store-change';
import { replaceFile } from '../record/replace-file';
import { Refusal } from '../wire/refusal';
import type { RefusalReason } from '../wire/refusal-reasons';
import { CHARTER_BYTES_MAX, SignedCharter } from './charter';
import type { Charters } from './charters';
import { RESTRICTION_FILE_BYTES_MAX, RESTRICTION_MARK, readSignedRestriction } from './restriction';

const LOOK_EVERY_MS = 1_000;
/** JSON may escape each character of the charter as six characters. */
const CHARTER_FILE_BYTES_MAX = 6 * CHARTER_BYTES_MAX + 1_024;
export const OFFERED = '.offered';
export const OUTCOME = '.outcome';
export const charterFolder = (stateDir: string): string => join(stateDir, 'charters');

type Takers = Pick<Charters, 'adopt' | 'restrict'> & KeyStoreChanges;
type Form = {
  /** The end of the file name before `OFFERED`. */
  readonly mark: string;
  readonly bytesMax: number;
  /** The outcome for a file that is not of the kind that its name states. */
  readonly malformed: RefusalReason;
  /** Returns undefined if the content is not of the kind that the file name states. Throws a `Refusal`. */
  readonly take: (takers: Takers, file: Buffer) => Promise<unknown> | undefined;
};

const CHARTER: Form = {
  mark: '',
  bytesMax: CHARTER_FILE_BYTES_MAX,
  malformed: 'CharterMalformed',
  take({ adopt }, file) {
    const json = parseStrictJson(file);
    const offer = json.ok ? SignedCharter.safeParse(json.value).data : undefined;
    return offer && adopt(offer);
  },
};
const RESTRICTION: Form = {
  mark: RESTRICTION_MARK,
  bytesMax: RESTRICTION_FILE_BYTES_MAX,
  malformed: 'CharterMalformed',
  take({ restrict }, file) {
    const offer = readSignedRestriction(file);
    return offer && restrict(offer);
  },
};
const KEY_STORE: Form = {
  mark: KEY_STORE_MARK,
  bytesMax: KEY_STORE_FILE_BYTES_MAX,
  malformed: 'KeyStoreMalformed',
  take({ changeKeyStores }, file) {
    const offer = readSignedKeyStoreEntry(file);
    return offer && changeKeyStores(offer);
  },
};
const formOf = (path: string): Form => [RESTRICTION, KEY_STORE].find(({ mark }) => path.endsWith(`${mark}${OFFERED}`)) ?? CHARTER;

/** `Adopted`, or the reason why the signer refused the document. */
async function outcomeOf(takers: Takers, path: string): Promise<string> {
  const { take, bytesMax, malformed } = formOf(path);
  const found = await lstat(path);
  const isReadable = found.isFile() && found.size <= bytesMax;
  const taken = isReadable ? take(takers, await readFile(path)) : undefined;
  if (!taken) return malformed;
  try {
    await taken;
    return 'Adopted';
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
}

/**
 * Reads charters, restrictions and entries about key stores from files that the operator puts into the state folder, and writes
 * each outcome to a file. Neither the API nor the worker can therefore withhold a document.
 */
export function watchCharters(stateDir: string, takers: Takers, logger: Logger): { close(): Promise<void> } {
  const folder = charterFolder(stateDir);
  const take = async (name: string): Promise<void> => {
    const path = join(folder, name);
    const document = name.slice(0, -OFFERED.length);
    try {
      const outcome = await outcomeOf(takers, path);
      logger.warn(`the document ${document} was offered: ${outcome}`);
      await replaceFile(path.replace(/\.offered$/, OUTCOME), (put) => put(outcome));
      await rm(path, { recursive: true });
    } catch (error) {
      // A failed offer must not block the next offers.
      logger.error({ err: error }, `the offered document ${document} could not be taken`);
    }
  };
  const look = async (): Promise<void> => {
    try {
      if (!existsSync(folder)) return;
      const names = (await readdir(folder)).filter((name) => name.endsWith(OFFERED));
      const offers = await Promise.all(names.map(async (name) => ({ name, at: (await lstat(join(folder, name))).mtimeMs })));
      // A charter names its predecessor, so the offers are processed in the order in which the operator made them.
      for (const { name } of offers.sort((one, other) => one.at - other.at)) await take(name);
    } catch (error) {
      logger.error({ err: error }, 'the offered documents could not be read');
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
