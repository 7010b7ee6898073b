import { resolve } from 'node:path';
import { z } from 'zod';
import { CHARTER_CODE, type CharterOnRecord } from '../signer/wire/operator-api';
import { aloneCommand } from './alone-command';
import { adoptCharter } from './charters/adopt-charter';
import { differenceLines } from './charters/charter-differences';
import { readDraft, readLimits, readSigned } from './charters/charter-file';
import { countWords, headLines, omissionLines, readingLines } from './charters/charter-reading';
import { endUsersOf, exportWaitHoursOf, mainnetsOf, membersAmendOf, seenOf } from './charters/draft-options';
import { makeOperatorKey, publicHexOf, readOperatorKey, signCharter } from './charters/operator-key';
import { organizationCharter } from './charters/organization-charter';
import { plain } from './charters/plain';
import { createPrivateText } from './charters/private-text';
import { restrictCharter } from './charters/restrict-charter';
import { offlineCommand, RecordId } from './command';
import { charterConfig, signerStateConfig } from './config';
import { verifyCommand } from './verify-command';

const Path = z.string().min(1).max(4_096);
/** The signer looks for charters every second. Only a signer that has just been started needs longer to respond. */
const ANSWER_MS = 30_000;

const makeKey = offlineCommand({
  usage: '--to <file>',
  options: z.strictObject({ to: Path }),
  async run({ to }) {
    const path = resolve(to);
    return [
      `Private half  ${path}`,
      `Public half   ${await makeOperatorKey(path)}`,
      '',
      'The public half is SIGNER_OPERATOR_KEY of the signer. The private half stays on this machine, which must not be a machine of the service.',
      'The holder of the private half decides who may move the money of every organisation. Keep a copy in another place.',
    ];
  },
});

const draft = offlineCommand({
  usage:
    '--org or-… --to <file> [--limits <file>] [--members-amend | --no-members-amend] [--seen <operation,…|all|none>] [--seen-origins <https://…,…>] [--mainnets <network,…|none>] [--exports <hours|none>] [--end-users <none|test|all>]',
  options: z.strictObject({
    ...{ org: RecordId, to: Path, limits: Path.optional() },
    ...{ 'members-amend': z.boolean().optional(), 'no-members-amend': z.boolean().optional() },
    ...{ seen: z.string().optional(), 'seen-origins': z.string().optional() },
    ...{ mainnets: z.string().optional(), exports: z.string().optional(), 'end-users': z.string().optional() },
  }),
  async run({ org: orgId, to, limits: limitsPath, mainnets, exports: waits, ...options }) {
    const seen = seenOf(options.seen, options['seen-origins']);
    const membersAmend = membersAmendOf(options['members-amend'], options['no-members-amend']);
    const [exportWaitHours, endUsers] = [exportWaitHoursOf(waits), endUsersOf(options['end-users'])];
    const wanted = { membersAmend, seen, mainnets: mainnetsOf(mainnets), exportWaitHours, endUsers };
    const { DATABASE_URL: url, SIGNER_STATE_DIR: stateDir } = charterConfig();
    const limits = limitsPath === undefined ? undefined : await readLimits(limitsPath);
    const { text, charter, inForce, now } = await organizationCharter({ url, stateDir }, orgId, { ...wanted, limits });
    const path = resolve(to);
    await createPrivateText(path, text);
    return [
      `Draft         ${path}`,
      `Name          ${plain(now.name)}`,
      ...headLines(text, charter),
      ...readingLines(charter, now.names),
      ...omissionLines(now.omitted),
      '',
      ...(inForce === undefined
        ? ['The organisation has no charter yet.']
        : comparison('Differences from the charter in force', differenceLines(inForce.charter, charter, now.names))),
      '',
      'The names come from the database. Compare the digest and each fingerprint on the machine that signs, and with the people themselves.',
    ];
  },
});

/** Without a key the command only prints the charter, because people must read a charter before they sign it. */
const sign = offlineCommand({
  usage: '--charter <file> [--key <file>] [--previous <the last signed charter>]',
  options: z.strictObject({ charter: Path, key: Path.optional(), previous: Path.optional() }),
  async run({ charter: draftPath, key: keyPath, previous }) {
    const { text, charter } = await readDraft(draftPath);
    const before = previous === undefined ? undefined : await readSigned(previous);
    // Members may have amended the charter after `previous` was signed.
    const amendments = before ? charter.sequence - before.charter.sequence - 1 : 0;
    if (before && (amendments < 0 || (amendments === 0 && CHARTER_CODE.digest(before.text) !== charter.previous)))
      throw new Error(`${draftPath} does not follow ${previous}: its previous charter is ${charter.previous ?? 'none'}.`);
    const reading = [
      ...headLines(text, charter),
      ...readingLines(charter),
      ...(amendments > 0
        ? ['', `${amendments} amendments by members lie in between. The differences contain their changes.`]
        : []),
      ...(before ? ['', ...comparison(`Differences from ${previous}`, differenceLines(before.charter, charter))] : []),
      '',
    ];
    if (keyPath === undefined) return [...reading, 'Nothing is signed yet: pass --key <file> to sign.'];
    const key = readOperatorKey(keyPath);
    const path = `${resolve(draftPath)}.signed`;
    await createPrivateText(path, JSON.stringify(signCharter(text, key)));
    return [...reading, `Signed        ${path}`, `By            ${publicHexOf(key)}`];
  },
});

const adopt = offlineCommand({
  usage: '--charter <signed file>',
  options: z.strictObject({ charter: Path }),
  async run({ charter }) {
    return adoptCharter(signerStateConfig().SIGNER_STATE_DIR, charter, ANSWER_MS);
  },
});

const restrict = offlineCommand({
  usage: '--file <restriction>',
  options: z.strictObject({ file: Path }),
  async run({ file }) {
    return restrictCharter(signerStateConfig().SIGNER_STATE_DIR, file, ANSWER_MS);
  },
});

const UNSEALED =
  'The journal was read without its key: its chain was checked, and its seals were not. `authority:verify` checks everything.';

const status = offlineCommand({
  usage: '[--org or-…]',
  options: z.strictObject({ org: RecordId.optional() }),
  async run({ org: orgId }) {
    if (orgId === undefined) {
      const charters = await CHARTER_CODE.adopted(signerStateConfig().SIGNER_STATE_DIR);
      const lines = [...charters].sort(([one], [other]) => (one < other ? -1 : 1)).map(overview);
      return [...(lines.length === 0 ? ['No organisation has a charter.'] : lines), '', UNSEALED];
    }
    const { DATABASE_URL: url, SIGNER_STATE_DIR: stateDir } = charterConfig();
    const { charter, inForce, now } = await organizationCharter({ url, stateDir }, orgId);
    if (!inForce)
      return [`${orgId} has no charter: the signer treats every order of this organisation as approved.`, '', UNSEALED];
    return [
      `Charter       ${inForce.digest}`,
      `Sequence      ${inForce.sequence}`,
      `Issued        ${inForce.charter.dateIssued}, adopted ${inForce.at}`,
      `Content       ${countWords(inForce.charter)}`,
      '',
      ...comparison('The database would now change', differenceLines(inForce.charter, charter, now.names)),
      '',
      UNSEALED,
    ];
  },
});

const comparison = (title: string, differences: readonly string[]): readonly string[] =>
  differences.length === 0 ? [`${title}: nothing`] : [title, ...differences.map((line) => `  ${line}`)];

const overview = ([orgId, { sequence, digest, charter }]: readonly [string, CharterOnRecord]): string =>
  `${orgId}  ${sequence}  ${digest}  ${charter.dateIssued}  ${countWords(charter)}`;

export const CHARTER_COMMANDS = {
  'authority:key': makeKey,
  'authority:draft': draft,
  'authority:sign': sign,
  'authority:adopt': adopt,
  'authority:restrict': restrict,
  'authority:status': status,
  'authority:alone': aloneCommand,
  'authority:verify': verifyCommand,
};
