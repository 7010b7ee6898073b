import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Company } from './company';
import type { OpenedService } from './open-service';
import type { RecordedSignature, Verdicts } from './verdicts';

const SEGMENT = /^journal-\d+\.jsonl$/;
const Entry = z.looseObject({ kind: z.string(), orgId: z.string().optional() });
const Signed = z.looseObject({
  signed: z.looseObject({ orgId: z.string(), requestId: z.string() }),
  result: z.looseObject({ digestHex: z.string(), signatures: z.array(z.looseObject({})) }),
});
const Exported = z.looseObject({ exported: z.looseObject({ orgId: z.string() }) });
const Released = z.looseObject({ orgId: z.string(), freezeId: z.string() });
const Changes = z.array(
  z.looseObject({ section: z.string(), id: z.string(), value: z.looseObject({ tags: z.array(z.string()) }).nullable() }),
);
const Amended = z.looseObject({ amendment: z.string(), changes: Changes });
const Block = z.object({
  transactions: z.array(z.object({ from: z.string(), to: z.string().nullable(), value: z.string(), input: z.string() })),
});
/** The worker writes the row with the bytes soon after the signature. A signature without a row is judged only by its digest. */
const BYTES_WITHIN_MS = 10_000;
type Look = { readonly gains: readonly string[]; readonly isWhole: boolean };
type Opened = { readonly result: RecordedSignature; readonly seenAtMs: number };
const Payload = z.object({ unsigned_hex: z.string() });

/** The complete lines that were added to the journal since the last call, read without the signer's code. */
function journalTail(stateDir: string): () => string[] {
  const read = new Map<string, number>();
  return () =>
    readdirSync(stateDir)
      .filter((name) => SEGMENT.test(name))
      .sort()
      .flatMap((name) => {
        const file = openSync(join(stateDir, name), 'r');
        try {
          const from = read.get(name) ?? 0;
          const bytes = Buffer.alloc(fstatSync(file).size - from);
          readSync(file, bytes, 0, bytes.length, from);
          const end = bytes.lastIndexOf('\n') + 1;
          read.set(name, from + end);
          return bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean);
        } finally {
          closeSync(file);
        }
      });
}

type Parts = { readonly service: OpenedService; readonly company: Company; readonly verdicts: Verdicts };

/** Reads the signer's journal and the chain, and reports the gains of the attacker. */
export async function openWatch({ service: { rig, stateDir }, company, verdicts }: Parts) {
  const { orgId, wallets, freezeId } = company;
  const newLines = journalTail(stateDir);
  const addresses = new Set(Object.values(wallets).map(({ address }) => address));
  let height = Number(await rig.rpc('eth_blockNumber'));
  let signatures = 0;
  let open: readonly Opened[] = [];
  const found: string[] = [];
  const note = (gain: string | undefined) => {
    if (gain !== undefined) found.push(gain);
  };
  // Skips the earlier entries, which come from the founding of the organisation.
  newLines();

  const isOurTag = (entry: object): boolean => {
    const { amendment, changes } = Amended.parse(entry);
    const isSpare = ({ section, id, value }: z.output<typeof Changes>[number]) =>
      section === 'wallets' && id === wallets.spare.id && value?.tags.every((tag) => verdicts.isPermittedTag(tag)) === true;
    return ['tagWallet', 'untagWallet'].includes(amendment) && changes.every(isSpare);
  };
  const judgeEntry = (entry: { readonly kind: string; readonly orgId?: string | undefined }): string | undefined => {
    const { kind } = entry;
    if (kind === 'KeyExported') return Exported.parse(entry).exported.orgId === orgId ? 'a key left the signer' : undefined;
    if (entry.orgId !== orgId) return undefined;
    if (kind === 'FreezeReleased') return Released.parse(entry).freezeId === freezeId ? 'a freeze was released' : undefined;
    if (kind === 'CharterAmended' && isOurTag(entry)) return undefined;
    return kind.startsWith('Charter') || kind === 'KeyStoreChanged'
      ? `an entry was accepted: ${JSON.stringify(entry).slice(0, 600)}`
      : undefined;
  };

  const lookAtJournal = (): void => {
    const entries = newLines()
      .filter((line) => !line.startsWith('+ '))
      .map((line) => Entry.parse({ kind: 'Seal', ...JSON.parse(line.slice(line.indexOf(' ') + 1)) }));
    const signed = entries
      .filter(({ kind }) => kind === 'Signed')
      .map((entry) => Signed.parse(entry))
      .filter((entry) => entry.signed.orgId === orgId);
    signatures += signed.length;
    const seenAtMs = performance.now();
    open = [...open, ...signed.map(({ result }) => ({ result, seenAtMs }))];
    for (const entry of entries) note(judgeEntry(entry));
  };
  const lookAtSignatures = async (): Promise<void> => {
    if (open.some(({ result }) => !verdicts.isReadable(result))) {
      const rows = await rig.sql('SELECT unsigned_hex FROM payloads WHERE org_id = $1', [orgId]);
      for (const row of rows) verdicts.know(Payload.parse(row).unsigned_hex);
    }
    const isLate = ({ seenAtMs }: Opened) => performance.now() - seenAtMs > BYTES_WITHIN_MS;
    const due = open.filter((one) => verdicts.isReadable(one.result) || isLate(one));
    open = open.filter((one) => !due.includes(one));
    for (const { result } of due) note(verdicts.signed(result));
  };
  const lookAtChain = async (): Promise<void> => {
    const head = Number(await rig.rpc('eth_blockNumber'));
    for (; height < head; height += 1) {
      const block = Block.parse(await rig.rpc('eth_getBlockByNumber', [`0x${(height + 1).toString(16)}`, true]));
      for (const { from, to, value, input } of block.transactions)
        if (addresses.has(from.toLowerCase()))
          note(verdicts.included(from.toLowerCase(), (to ?? '').toLowerCase(), BigInt(value), input));
    }
  };

  return {
    /**
     * The attacker's gains since the last call. `isWhole` is false if a busy service did not reply or if some bytes are not known
     * yet: the next call then reports the rest.
     */
    async look(): Promise<Look> {
      lookAtJournal();
      const read = await Promise.allSettled([lookAtSignatures(), lookAtChain()]);
      const isWhole = open.length === 0 && read.every(({ status }) => status === 'fulfilled');
      return { gains: found.splice(0), isWhole };
    },
    signatures: () => signatures,
  };
}
