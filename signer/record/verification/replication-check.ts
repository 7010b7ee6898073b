import type { KeyObject } from 'node:crypto';
import type { Entry } from '../journal/entries';
import { isStatementSignedBy, readStatementText } from '../replication/alone';
import type { ReplicationSetEntry, SignedStatement } from '../replication/replication-entries';
import type { FolderFault } from './folder-fault';

type Parts = { readonly signerId: string | undefined; readonly operatorKey: KeyObject | undefined };
type Batch = {
  readonly entries: readonly { readonly entry: Entry; readonly place: string }[];
  /** The hash of the seal. */
  readonly last: string;
};

/**
 * Follows the changes between running with a replica and running without a replica. Each start without the replica needs the
 * operator's statement for the last line before the start. If a statement no longer applies and another key signed it, the
 * statement is only counted, because an earlier key of the operator may have signed it.
 */
export function createReplicationCheck({ signerId, operatorKey }: Parts) {
  const faults: FolderFault[] = [];
  const used = new Set<string>();
  /** The lines that a statement may name. A takeover writes the heading of a segment between the statement and the entry. */
  let heads: readonly string[] = [];
  let unsigned: string | undefined;
  let earlierUnsigned = 0;
  const note = (place: string, fault: string) =>
    faults.push({ place, fault: `the signer continued without its replica ${fault}` });

  /** The fault of the statement. Does not check the signature. */
  function faultIn(signed: SignedStatement | undefined): string | undefined {
    if (!signed) return 'and without a statement';
    const given = readStatementText(signed.statement);
    if (!given) return 'by a statement that cannot be read';
    if (signerId !== undefined && given.signerId !== signerId) return 'by a statement for another signer';
    if (used.has(given.head)) return 'by a statement that was used before';
    return heads.includes(given.head) ? undefined : 'by a statement for another last line';
  }

  function take({ mode, signed }: ReplicationSetEntry, place: string): void {
    if (unsigned !== undefined) earlierUnsigned += 1;
    unsigned = undefined;
    if (mode === 'Replicated') return;
    const fault = faultIn(signed);
    if (fault !== undefined) return void note(place, fault);
    used.add(readStatementText(signed?.statement ?? '')?.head ?? '');
    if (operatorKey && signed && !isStatementSignedBy(operatorKey, signed)) unsigned = place;
  }

  return {
    take({ entries, last }: Batch): void {
      for (const { entry, place } of entries) if (entry.kind === 'ReplicationSet') take(entry, place);
      heads = entries.length === 0 ? [...heads.slice(-1), last] : [last];
    },
    finish() {
      if (unsigned !== undefined) note(unsigned, 'by a statement that is not signed with SIGNER_OPERATOR_KEY');
      return { faults, earlierUnsigned };
    },
  };
}
