import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { FOLDER_CODE, type FolderReport } from '../signer/wire/operator-api';
import { offlineCommand, RecordId } from './command';
import { verifyConfig } from './config';

const INDEX_WORDS: { readonly [K in FolderReport['index']['kind']]: string } = {
  Absent: 'none: the next start makes it from the journal',
  Empty: 'empty: the next start makes it from the journal',
  Uncompared: 'each value is sealed; not compared, because the journal has faults',
  Faulty: 'see the faults',
  Compared: 'equal to the index that follows from the journal',
};

function indexWords({ index, end }: FolderReport): string {
  const words = INDEX_WORDS[index.kind];
  const isBehind = index.kind === 'Compared' && index.position.last !== end?.last;
  return isBehind ? `${words} up to byte ${index.position.offsetBytes} of segment ${index.position.segment}` : words;
}

function charterLines({ charters }: FolderReport, orgId: string | undefined): readonly string[] {
  const shown = [...charters]
    .filter(([id]) => orgId === undefined || id === orgId)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (shown.length === 0) return ['Charters      none in force'];
  return shown.map(([id, { sequence, digest, at }]) => `Charter       ${id}  ${sequence}  ${digest}  ${at}`);
}

function reportLines(report: FolderReport, orgId: string | undefined, isSigned: boolean): readonly string[] {
  const { signerId, attestationKey, tally, segments, bytes, end, unsealedBytes } = report;
  const kinds = [...tally.kinds].sort(([one], [other]) => (one < other ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
  return [
    `Signer        ${signerId ?? 'unknown'}`,
    `Attests with  ${attestationKey}`,
    `Entries       ${tally.entries}${orgId === undefined ? '' : ` of ${orgId}`}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`,
    ...(tally.first === undefined ? [] : [`Time          ${tally.first} to ${tally.last}`]),
    `Journal       ${segments} segments, ${bytes} bytes`,
    `Head          ${end === undefined ? 'unknown' : `${end.last}, byte ${end.offsetBytes} of segment ${end.segment}`}`,
    ...(unsealedBytes === 0
      ? []
      : [`Unsealed      ${unsealedBytes} bytes after the head, never acknowledged: under way, or left by a crash`]),
    `Index         ${indexWords(report)}`,
    ...charterLines(report, orgId),
    `Signatures    ${isSigned ? 'checked with SIGNER_OPERATOR_KEY, for everything in force' : 'not checked for charters and statements: SIGNER_OPERATOR_KEY is not set'}`,
    ...statementLines(report),
    '',
  ];
}

/**
 * An earlier start whose statement is not signed with the present key is not a fault, because the operator might have lost an
 * earlier key.
 */
const statementLines = ({ earlierUnsigned: count }: FolderReport): readonly string[] =>
  count === 0 ? [] : [`Alone         ${count} earlier starts without a replica were not signed with SIGNER_OPERATOR_KEY`];

/**
 * The exit code is 1 if there is a fault. A fault is printed even if `--org` limits the output, because the fault concerns the
 * whole folder.
 */
export const verifyCommand = offlineCommand({
  usage: '[--org or-…] [--work <folder for two copies of the index>]',
  options: z.strictObject({ org: RecordId.optional(), work: z.string().min(1).max(4_096).optional() }),
  async run({ org: orgId, work }) {
    const { stateDir, operatorKey, keks } = verifyConfig();
    const kek = await FOLDER_CODE.openKeks(keks);
    const report = await FOLDER_CODE.verify({ stateDir, kek, operatorKey, orgId, workDir: resolve(work ?? tmpdir()) });
    const lines = reportLines(report, orgId, operatorKey !== undefined);
    if (report.faults.length === 0) return [...lines, 'verified'];
    const faults = report.faults.map(({ place, fault }) => `  ${place}: ${fault}`);
    throw new Error([...lines, `NOT VERIFIED, ${faults.length} faults:`, ...faults].join('\n'));
  },
});
