import { closeSync, copyFileSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDek, openKey } from '../../signer/keys/envelope';
import { createFileKek } from '../../signer/keys/kek';
import type { CreatedKey } from '../../signer/protocol';
import { openJournal } from '../../signer/record/journal/open-journal';
import { createKeyLog } from '../../signer/record/key-log';

const CHUNK_BYTES = 8 * 1024 * 1024;

/** The forms in which a program can leave a secret: bytes in either order (a big integer reverses them), hex and base64. */
export function formsOf(secret: Buffer): readonly Buffer[] {
  const hex = secret.toString('hex');
  const base64 = secret.toString('base64').replace(/=+$/, '');
  const texts = [hex, hex.toUpperCase(), base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
  return [secret, Buffer.from(secret).reverse(), ...[...new Set(texts)].map((text) => Buffer.from(text))];
}

/** Every secret of this data folder's signer, in all forms: the key-encryption key, the data keys and the signing keys. */
export async function secretsOfSigner(dataFolder: string): Promise<Record<string, readonly Buffer[]>> {
  const kekBytes = () => Buffer.from(readFileSync(join(dataFolder, 'secrets', 'signer-kek'), 'utf8').trim(), 'hex');
  const copy = mkdtempSync(join(tmpdir(), 'canary-'));
  for (const name of ['journal-000001.jsonl', 'journal-key.json'])
    copyFileSync(join(dataFolder, 'signer', name), join(copy, name));
  const kek = createFileKek(kekBytes());
  const journal = await openJournal({ stateDir: copy, kek, onBroken: () => undefined });
  const keyLog = createKeyLog(journal);
  const found: Record<string, readonly Buffer[]> = { kek: formsOf(kekBytes()) };
  for (const line of readFileSync(join(copy, 'journal-000001.jsonl'), 'utf8').trim().split('\n')) {
    if (line.startsWith('+')) continue;
    const { created } = JSON.parse(line.slice(65)) as { created?: CreatedKey };
    const made = created && keyLog.find(created.sealed.keyId);
    if (!made) continue;
    const dek = await openDek(kek, made.dek, made.dek.orgId);
    found[`data key ${made.dek.dekId}`] = formsOf(dek);
    found[`key ${made.sealed.keyId}`] = formsOf(openKey(dek, made.sealed, made.sealed));
  }
  await journal.close();
  rmSync(copy, { recursive: true });
  return found;
}

const isIn = (bytes: Buffer, forms: readonly Buffer[]) => forms.some((form) => bytes.includes(form));

/** The names of the secrets that the text contains. */
export const foundIn = (text: string | Buffer, secrets: Readonly<Record<string, readonly Buffer[]>>): string[] => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return Object.entries(secrets).flatMap(([name, forms]) => (isIn(bytes, forms) ? [name] : []));
};

/** The names of the secrets in the writable memory of a process. The caller needs the rights of a debugger. */
export function foundInMemory(pid: number, secrets: Readonly<Record<string, readonly Buffer[]>>): string[] {
  const overlap = Math.max(...Object.values(secrets).flatMap((forms) => forms.map(({ length }) => length)));
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to, mode] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
      if (!mode?.startsWith('rw') || line.endsWith('[vvar]')) continue;
      const end = Number.parseInt(to ?? '0', 16);
      for (let at = Number.parseInt(from ?? '0', 16); at < end; at += CHUNK_BYTES - overlap) {
        const read = readPart(memory, chunk, Math.min(CHUNK_BYTES, end - at), at);
        for (const name of foundIn(chunk.subarray(0, read), secrets)) found.add(name);
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found];
}

function readPart(memory: number, chunk: Buffer, length: number, at: number): number {
  try {
    return readSync(memory, chunk, 0, length, at);
  } catch {
    return 0; // the process has released this region since the listing
  }
}

/** The process id of a program of the service: `dist/<entry>`, run by `pid` or a descendant of it. */
export function programPid(pid: number, entry: string): number {
  const parents = new Map<number, number>();
  const commands = new Map<number, string>();
  for (const name of readdirSync('/proc').filter((text) => /^\d+$/.test(text))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '');
      parents.set(Number(name), Number(stat.split(' ')[1]));
      commands.set(Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '));
    } catch {
      // The process has ended meanwhile.
    }
  }
  const isOurs = (child: number): boolean => child === pid || (child > 1 && isOurs(parents.get(child) ?? 0));
  const found = [...commands].filter(([, command]) => command.includes(`dist/${entry}`) && !command.startsWith('/bin/sh'));
  const [ours] = found.find(([child]) => isOurs(child)) ?? [];
  if (ours === undefined) throw new Error(`${entry} does not run`);
  return ours;
}

/** Every file below a folder, with its content. */
export function* filesIn(folder: string): Generator<{ readonly path: string; readonly bytes: Buffer }> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    try {
      if (statSync(path).isFile()) yield { path, bytes: readFileSync(path) };
    } catch {
      // Postgres has removed the file meanwhile.
    }
  }
}
