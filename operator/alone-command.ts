import { sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ALONE_CODE } from '../signer/wire/operator-api';
import { publicHexOf, readOperatorKey } from './charters/operator-key';
import { createPrivateText } from './charters/private-text';
import { offlineCommand } from './command';
import { signerStateConfig } from './config';

const Path = z.string().min(1).max(4_096);
const USAGE = 'Pass --draft <file>, or --sign <file> --key <file>, or --place <signed file>.';

async function draft(to: string): Promise<readonly string[]> {
  const text = await ALONE_CODE.draft(signerStateConfig().SIGNER_STATE_DIR);
  await createPrivateText(resolve(to), text);
  return [
    `Draft         ${resolve(to)}`,
    text,
    '',
    'Signed with the operator’s key, this statement lets the signer of the folder run without a replica, from exactly this line of its journal on.',
    'First make sure that no other signer with this journal runs or can start: both could sign the same payment.',
  ];
}

async function signDraft(path: string, keyPath: string): Promise<readonly string[]> {
  const statement = await readFile(path, 'utf8');
  ALONE_CODE.assertStatement(statement);
  const key = readOperatorKey(keyPath);
  const signature = sign(null, ALONE_CODE.signedBytes(statement), key).toString('base64');
  const signed = `${resolve(path)}.signed`;
  await createPrivateText(signed, JSON.stringify({ statement, signature }));
  return [statement, '', `Signed        ${signed}`, `By            ${publicHexOf(key)}`];
}

async function place(path: string): Promise<readonly string[]> {
  const placed = await ALONE_CODE.place(signerStateConfig().SIGNER_STATE_DIR, await readFile(path, 'utf8'));
  return [
    `Placed        ${placed}`,
    'The next start of the signer reads the file: set SIGNER_OPERATOR_KEY, and leave SIGNER_REPLICA empty.',
  ];
}

/** Three steps on two machines, because the operator's key is never on a machine of the service. */
export const aloneCommand = offlineCommand({
  usage: '--draft <file> | --sign <file> --key <file> | --place <signed file>',
  options: z.strictObject({ draft: Path.optional(), sign: Path.optional(), key: Path.optional(), place: Path.optional() }),
  async run({ draft: to, sign: path, key, place: signed }) {
    if ([to, path, signed].filter((one) => one !== undefined).length !== 1) throw new Error(USAGE);
    if ((path === undefined) !== (key === undefined)) throw new Error(USAGE);
    if (to !== undefined) return draft(to);
    return path === undefined ? place(signed ?? '') : signDraft(path, key ?? '');
  },
});
