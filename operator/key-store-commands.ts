import { resolve } from 'node:path';
import { z } from 'zod';
import { newId } from '../platform/ids';
import { KEY_STORE_CODE, type KeyStoreChange } from '../signer/wire/operator-api';
import { publicHexOf, readOperatorKey } from './charters/operator-key';
import { createPrivateText } from './charters/private-text';
import { offlineCommand, RecordId } from './command';
import { signerStateConfig } from './config';
import { draftEntry } from './key-stores/draft-entry';
import { readDraftEntry, readSignedEntry, signEntry } from './key-stores/entry-file';
import { entryLines, storeLines } from './key-stores/entry-reading';
import { placeEntry } from './key-stores/place-entry';

const Path = z.string().min(1).max(4_096);
/** The signer looks for offers every second. Only a signer that has just been started needs longer to respond. */
const ANSWER_MS = 30_000;
const stateDirOf = () => signerStateConfig().SIGNER_STATE_DIR;

const OfOrg = { org: RecordId, key: Path.optional(), to: Path.optional() };
type OfOrg = { readonly org: string; readonly key?: string | undefined; readonly to?: string | undefined };
const USAGE = '[--key <file> | --to <file>]';

/** Prints the entry in words. Signs and submits the entry only with the operator's key. */
async function change({ org: orgId, key: keyPath, to }: OfOrg, wanted: KeyStoreChange): Promise<readonly string[]> {
  if (keyPath !== undefined && to !== undefined) throw new Error('Pass either --key or --to, not both.');
  const stateDir = stateDirOf();
  const { text, entry, stores } = await draftEntry(stateDir, orgId, wanted, new Date());
  const reading = [
    ...entryLines(text, entry, stores),
    '',
    'The stores of the organisation before the entry:',
    ...storeLines(stores),
    '',
  ];
  if (to !== undefined) {
    await createPrivateText(resolve(to), text);
    return [
      ...reading,
      `Draft         ${resolve(to)}`,
      'Nothing is signed yet: pass the draft to key-store sign on the machine of the key.',
    ];
  }
  if (keyPath === undefined)
    return [...reading, 'Nothing is signed yet: pass --key <file> to sign and submit, or --to <file> for a draft.'];
  const key = readOperatorKey(keyPath);
  return [
    ...reading,
    `By            ${publicHexOf(key)}`,
    ...(await placeEntry({ stateDir, orgId }, signEntry(text, key), ANSWER_MS)),
  ];
}

const Reviewers = z.coerce.number();

const add = offlineCommand({
  usage: `--org or-… --name <words> [--reviewers <number>] ${USAGE}`,
  options: z.strictObject({ ...OfOrg, name: z.string(), reviewers: Reviewers.exactOptional() }),
  run: ({ name, reviewers, ...given }) =>
    change(given, {
      ...{ kind: 'Add', storeId: newId('keyStore'), storeKind: 'OfflineSigner', name },
      ...(reviewers === undefined ? {} : { reviewers }),
    }),
});

const reviewers = offlineCommand({
  usage: `--org or-… --store <id> --reviewers <number> ${USAGE}`,
  options: z.strictObject({ ...OfOrg, store: RecordId, reviewers: Reviewers }),
  run: ({ store: storeId, reviewers: number, ...given }) => change(given, { kind: 'SetReviewers', storeId, reviewers: number }),
});

const name = offlineCommand({
  usage: `--org or-… --store <id> --name <words> ${USAGE}`,
  options: z.strictObject({ ...OfOrg, store: RecordId, name: z.string() }),
  run: ({ store: storeId, name: words, ...given }) => change(given, { kind: 'Name', storeId, name: words }),
});

const ofStore = (kind: 'MakePrimary' | 'Drain' | 'Remove') =>
  offlineCommand({
    usage: `--org or-… --store <id> ${USAGE}`,
    options: z.strictObject({ ...OfOrg, store: RecordId }),
    run: ({ store: storeId, ...given }) => change(given, { kind, storeId }),
  });

/** Without a key the command only prints the entry, because people must read an entry before they sign it. */
const sign = offlineCommand({
  usage: '--entry <file> [--key <file>]',
  options: z.strictObject({ entry: Path, key: Path.optional() }),
  async run({ entry: draftPath, key: keyPath }) {
    const { text, entry } = await readDraftEntry(draftPath);
    const reading = [...entryLines(text, entry), ''];
    if (keyPath === undefined) return [...reading, 'Nothing is signed yet: pass --key <file> to sign.'];
    const key = readOperatorKey(keyPath);
    const path = `${resolve(draftPath)}.signed`;
    await createPrivateText(path, JSON.stringify(signEntry(text, key)));
    return [...reading, `Signed        ${path}`, `By            ${publicHexOf(key)}`];
  },
});

const place = offlineCommand({
  usage: '--entry <signed file>',
  options: z.strictObject({ entry: Path }),
  async run({ entry: path }) {
    const { signed, text, entry } = await readSignedEntry(path);
    const placed = await placeEntry({ stateDir: stateDirOf(), orgId: entry.organizationId }, signed, ANSWER_MS);
    return [...entryLines(text, entry), '', ...placed];
  },
});

const UNSEALED = 'The journal was read without its key: its chain was checked, and its seals were not.';

const list = offlineCommand({
  usage: '[--org or-…]',
  options: z.strictObject({ org: RecordId.optional() }),
  async run({ org }) {
    const recorded = await KEY_STORE_CODE.recorded(stateDirOf());
    if (org !== undefined) return [...storeLines(recorded.get(org)?.stores), '', UNSEALED];
    const found = [...recorded].sort(([one], [other]) => (one < other ? -1 : 1));
    return [
      ...found.flatMap(([orgId, { n, digest, stores }]) => [`${orgId}  entry ${n}  ${digest}`, ...storeLines(stores)]),
      'Every other organisation has only the software store.',
      '',
      UNSEALED,
    ];
  },
});

/** `npm run key-store -- add …` is the command `key-store add`. */
export const KEY_STORE_COMMANDS = {
  'key-store add': add,
  'key-store name': name,
  'key-store reviewers': reviewers,
  'key-store primary': ofStore('MakePrimary'),
  'key-store drain': ofStore('Drain'),
  'key-store remove': ofStore('Remove'),
  'key-store sign': sign,
  'key-store place': place,
  'key-store list': list,
};
