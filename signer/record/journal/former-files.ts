import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FrozenTarget } from '../../orders/freeze-orders';
import { DekRow, SealedKeyRow } from '../../orders/key-rows';
import { CreatedKey, PayloadSignature, TransferSignature } from '../../protocol';
import { StartError } from '../../start-error';
import { EvidenceList } from '../evidence';
import { Export, Origin } from '../key-entries';
import { createFile, type Put, replaceFile } from '../replace-file';
import { Signed } from '../signing-entries';
import { altered, type ChainEnd, chain, type JournalLine, journalLineOf, readBatches, sealedText } from './chained-lines';
import type { Entry } from './entries';
import { headingText, segmentPath } from './segments';

const LINES_IN_BATCH = 1_000;
const HEADING = '{"shortened":';
const MOVED = '{"movedTo":';
/** This file exists once the journal contains everything. */
const MOVED_FILE = 'moved';

const At = { at: z.iso.datetime() };
const OfFreeze = { ...At, orgId: z.string(), freezeId: z.string(), evidence: EvidenceList };
/**
 * The files of releases that did not have the journal yet. Each schema converts the entries of its file to entries of the
 * journal.
 */
const FORMER = {
  'keys.jsonl': z.union([
    z
      .strictObject({ ...At, created: CreatedKey, origin: Origin.optional() })
      .transform((e) => ({ kind: 'KeyCreated' as const, ...e })),
    z.strictObject({ ...At, exported: Export }).transform((e) => ({ kind: 'KeyExported' as const, ...e })),
    z
      .strictObject({ ...At, dek: DekRow, requestId: z.string().optional() })
      .transform((e) => ({ kind: 'DataKey' as const, ...e })),
    z.strictObject({ ...At, resealed: SealedKeyRow }).transform((e) => ({ kind: 'KeyResealed' as const, ...e })),
  ]),
  'signatures.jsonl': z.union([
    z
      .strictObject({
        ...At,
        signed: Signed,
        result: z.union([
          PayloadSignature,
          // The oldest entries for transfers name their single signature directly.
          TransferSignature.transform(({ signature, digestHex }) => ({ digestHex, signatures: [signature] })),
        ]),
        evidence: EvidenceList.optional(),
        policyEpoch: z.int().optional(),
      })
      .transform((e) => ({ kind: 'Signed' as const, ...e })),
    z
      .strictObject({ ...At, withdrawn: z.string(), orgId: z.string().optional() })
      .transform(({ withdrawn, ...rest }) => ({ kind: 'Withdrawn' as const, requestId: withdrawn, ...rest })),
  ]),
  'freezes.jsonl': z.union([
    z
      .strictObject({ ...OfFreeze, set: FrozenTarget })
      .transform(({ set, ...rest }) => ({ kind: 'FreezeSet' as const, target: set, ...rest })),
    z
      .strictObject({ ...OfFreeze, released: z.literal(true) })
      .transform(({ released: _, ...rest }) => ({ kind: 'FreezeReleased' as const, ...rest })),
  ]),
};
type FormerName = keyof typeof FORMER;
const NAMES = Object.keys(FORMER) as readonly FormerName[];

export type FormerEntry = Entry & { readonly at: string };

/** Reads the complete lines up to the mark of a moved file. Throws a `StartError` if the file was altered. */
export async function readFormer(
  stateDir: string,
  name: FormerName,
  visit: (entry: FormerEntry, evidence: readonly unknown[]) => void | Promise<void>,
): Promise<ChainEnd & { readonly isMarked: boolean }> {
  const path = join(stateDir, name);
  let isMarked = false;
  const visitLine = async (json: string) => {
    if (json.startsWith(MOVED)) isMarked = true;
    if (isMarked || json.startsWith(HEADING)) return;
    const { evidence = [], ...entry } = parsed(path, name, json);
    await visit(entry, evidence);
  };
  try {
    const end = await readBatches(path, {}, async ([json]) => {
      if (json !== undefined) await visitLine(json);
    });
    return { ...end, isMarked };
  } catch (error) {
    throw altered(path, error);
  }
}

function parsed(
  path: string,
  name: FormerName,
  json: string,
): FormerEntry & { readonly evidence?: readonly unknown[] | undefined } {
  try {
    return FORMER[name].parse(JSON.parse(json));
  } catch (error) {
    throw new StartError(`${path} holds an entry that this version does not know`, { cause: error });
  }
}

/**
 * Copies the three files of an older release into the first segment of the journal. The old files stay, but end with an entry
 * that the older release refuses, because on a folder without a log the older release would sign a second time. Returns false if
 * there are no such files. After a crash before the segment exists, the next start copies the files again. Throws a
 * `StartError` if the files were moved already, because the journal must have been lost.
 */
export async function moveFormerFiles(stateDir: string, sealKey: Buffer, index: string): Promise<boolean> {
  if (!NAMES.some((name) => existsSync(join(stateDir, name)))) return false;
  if (existsSync(join(stateDir, MOVED_FILE)))
    throw new StartError(`the journal of ${stateDir} is missing: the files of the older release lack all later signatures`);
  for (const name of NAMES) await mark(stateDir, name);
  await createFile(segmentPath(stateDir, 1), (put) => writeSegment(stateDir, sealKey, index, put));
  await markMoved(stateDir);
  return true;
}

/** Completes the move in a folder with a journal, because a crash may have prevented the last step of the move. */
export async function markMoved(stateDir: string): Promise<void> {
  const isMarked = existsSync(join(stateDir, MOVED_FILE)) || !NAMES.some((name) => existsSync(join(stateDir, name)));
  if (isMarked) return;
  await replaceFile(join(stateDir, MOVED_FILE), (put) =>
    put('The journal has the content of the .jsonl files in the same folder.\n'),
  );
}

async function writeSegment(stateDir: string, sealKey: Buffer, index: string, put: Put): Promise<void> {
  const heading = headingText(sealKey, index);
  await put(heading.text);
  let { last } = heading;
  let waiting: JournalLine[] = [];
  const flush = async () => {
    const batch = sealedText(sealKey, waiting, last);
    ({ last } = batch);
    waiting = [];
    await put(batch.text);
  };
  for (const name of NAMES) {
    await readFormer(stateDir, name, async (entry, evidence) => {
      waiting.push(journalLineOf(entry, evidence.length > 0 ? evidence : undefined));
      if (waiting.length === LINES_IN_BATCH) await flush();
    });
  }
  if (waiting.length > 0) await flush();
}

/**
 * Ends the file with a mark. A missing file is created, so that the older release finds a mark in each file. The marked file is a
 * copy, because a process of the older release may still have the file open.
 */
async function mark(stateDir: string, name: FormerName): Promise<void> {
  const path = join(stateDir, name);
  if (!existsSync(path)) await createFile(path, async () => undefined);
  const { last, offsetBytes, isMarked } = await readFormer(stateDir, name, () => undefined);
  if (isMarked) return;
  const json = `${MOVED}"journal-000001.jsonl"}`;
  await replaceFile(path, async (put) => {
    if (offsetBytes > 0)
      for await (const chunk of createReadStream(path, { end: offsetBytes - 1 }) as AsyncIterable<Buffer>) await put(chunk);
    await put(`${chain(last, json)} ${json}\n`);
  });
}
