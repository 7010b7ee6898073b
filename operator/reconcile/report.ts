import { shortNameOf } from '../backup/manifest';
import type { Comparison, Finding } from './compare';

const WORDS: Readonly<Record<Finding['kind'], string>> = {
  Forgotten: 'signed, but unknown to the rows',
  Behind: 'signed, but its row is in a state before the signature',
  NotLogged: 'the row holds signed bytes that are missing from the signing log: the log is older than the rows',
  Unreturned:
    'a device was asked to sign, no signature has come back, and the chain has used the nonce or coin: an output did not reach the service, or another party has this key',
  ForeignNonce:
    'the chain used nonces that neither rows nor log know: another party has this key, or rows and log are both too old',
  ForeignSpend:
    'the chain has spent a coin of this sender that neither rows nor log have used: another party has this key, or rows and log are both too old',
  ForeignSignature:
    'the chain holds a signature of this sender that neither rows nor log know: another party has this key, or rows and log are both too old',
  ChainSilent: 'the nodes do not respond or do not agree, so the state of the chain is unknown',
};
const COLUMNS = ['kind', 'orgId', 'requestId', 'intentId', 'claim', 'by', 'state', 'chain'] as const;

/** The command that ends a freeze must repeat this name, and fails if the findings have changed since the report. */
export const nameOf = ({ findings }: Comparison): string =>
  shortNameOf(findings.map((finding) => ({ ...finding })).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));

export function reportLines(comparison: Comparison): string[] {
  const { signatures, payloads, senders, findings } = comparison;
  const table = [COLUMNS.map(String), ...findings.map((finding) => COLUMNS.map((column) => finding[column] ?? '–'))];
  const widths = COLUMNS.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return [
    `Compared: ${signatures} signatures of the log, ${payloads} signed payloads of the rows, ${senders} senders on their chains.`,
    ...(findings.length === 0
      ? ['They agree.']
      : [
          `They disagree in ${findings.length} cases:`,
          '',
          ...table.map((cells) =>
            cells
              .map((cell, at) => cell.padEnd(widths[at] ?? 0))
              .join('  ')
              .trimEnd(),
          ),
          '',
          ...kinds.map((kind) => `${kind}: ${WORDS[kind]}.`),
        ]),
  ];
}
