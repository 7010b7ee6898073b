import { createPublicKey, type KeyObject } from 'node:crypto';
import { plain } from '../operator/charters/plain';
import { createPrivateText } from '../operator/charters/private-text';
import { restrictionLines } from '../operator/charters/restriction-reading';
import { pemOf } from '../platform/credential-keys';
import { readCharter, SignedCharter } from '../signer/charters/charter';
import { type CharterInForce, charterInForce } from '../signer/charters/charter-in-force';
import {
  isRestrictionSignedBy,
  REMOVES_MAX,
  type Removal,
  type Restriction,
  readRestriction,
  restrictionBytes,
} from '../signer/charters/restriction';
import { isOfEndUser, removedBy } from '../signer/judging/amendments/judge-restriction';
import { Refusal } from '../signer/wire/refusal';
import { countedLines, OF_END_USER, OF_MEMBER } from './asking/member-words';
import { line } from './content/content-words';
import { lastSeen } from './home';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import { privateKeyIn } from './private-key';
import { jsonIn } from './read-file';
import { assertConfirmed, type MemberKey, signatureBy, type Terminal } from './signed-file';
import { operatorKeyIn, signedCharterIn } from './trusted-charter';

type Options = {
  readonly home: string;
  readonly charter: string;
  readonly key: string;
  /** Users, or credentials as `<user>/<credential>`, separated by commas. */
  readonly remove: string;
  readonly to: string;
  /** The digest of the charter in force, if members have amended the signed charter since. */
  readonly inForce?: string | undefined;
  readonly operatorKey?: string | undefined;
};

/** Shows what the restriction removes from the charter, asks the person, and writes the file for `authority:restrict`. */
export async function restrict(options: Options, terminal: Terminal, now: Date): Promise<readonly string[]> {
  const charter = givenCharter(options);
  const key = privateKeyIn(options.key);
  const { member, credential } = ownerOf(charter, key);
  const { signerId, organizationId } = charter.content;
  const inForce = options.inForce ?? charter.digest;
  const issued = { signerId, organizationId, charter: inForce, dateIssued: now.toISOString(), by: member.userId };
  const text = JSON.stringify({ v: 1, ...issued, removes: removesIn(options.remove) });
  const restriction = readRestriction(text);
  if (!restriction)
    throw new WrongUsage(
      `--remove names 1 to ${REMOVES_MAX} users or credentials, each once, and --in-force is the digest of a charter.`,
    );
  assertCounted(charter, restriction, credential);
  terminal.show([
    ...restrictionLines(text, restriction),
    ...betweenLines(charter, inForce),
    ...effectLines(charter, restriction),
  ]);
  const last = restriction.removes.at(-1);
  const confirm =
    last?.credentialId === undefined
      ? { what: 'the user', text: last?.userId ?? '' }
      : { what: 'the credential', text: last.credentialId };
  await assertConfirmed({ ...confirm, act: 'REMOVE' }, terminal);
  const signed = {
    restriction: text,
    credentialId: credential.id,
    signature: signatureBy(key, restrictionBytes(text)).toString('base64'),
  };
  assertVerified(
    isRestrictionSignedBy(credential.publicKey, signed),
    'The key cannot sign in a way that the signer would accept.',
  );
  await createPrivateText(options.to, `${JSON.stringify(signed)}\n`);
  return [`SIGNED: give ${plain(options.to)} to the operator, who runs authority:restrict -- --file ${plain(options.to)}.`];
}

/** Verifies the operator's signature with the given key, or with the key that the person trusts for the organisation. */
function givenCharter({ home, charter: path, operatorKey }: Options): CharterInForce {
  const named = readCharter(jsonIn(path, SignedCharter, 'a signed charter').charter)?.organizationId;
  const key = operatorKey === undefined ? lastSeen(home, named ?? 'of this file').operatorKey : operatorKeyIn(operatorKey);
  const { content, digest } = signedCharterIn(path, key);
  return charterInForce(content, digest);
}

const removesIn = (list: string): readonly Removal[] =>
  list.split(',').map((one) => {
    const [userId = '', ...rest] = one.trim().split('/');
    return rest.length === 0 ? { userId } : { userId, credentialId: rest.join('/') };
  });

/** Throws `NotVerified` unless the charter names the key for exactly one member, as a credential that can sign restrictions. */
function ownerOf({ content: { members } }: CharterInForce, key: KeyObject): MemberKey {
  const pem = pemOf(createPublicKey(key)).trim();
  const found = members.flatMap((member) =>
    member.credentials
      .filter(({ kind, publicKey }) => kind === 'Key' && publicKey.trim() === pem)
      .map((credential) => ({ member, credential })),
  );
  const [only, ...others] = found;
  if (!only) throw new NotVerified('Your key is not one that the charter names. The signer would not count it.');
  assertVerified(others.length === 0, 'The charter names your key more than once. Sign with another key of yours.');
  return only;
}

function assertCounted(charter: CharterInForce, restriction: Restriction, credential: MemberKey['credential']): void {
  try {
    removedBy(charter, restriction, credential);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new NotVerified(
      error.reason === 'NotPermitted'
        ? 'The charter lets this key remove only credentials of your own.'
        : 'The charter does not contain everything that you want to remove, or you name something twice.',
    );
  }
}

const betweenLines = ({ digest, content: { sequence } }: CharterInForce, inForce: string): readonly string[] =>
  digest === inForce
    ? []
    : [
        line('You read', `the charter ${digest}, sequence ${sequence}`),
        line('', 'The charter in force is another one, which this program has not seen'),
      ];

/** Shows each removal of a member as if the earlier removals had already taken effect. */
function effectLines(charter: CharterInForce, { removes }: Restriction): readonly string[] {
  const { content } = charter;
  const gone = removes.filter(({ credentialId }) => credentialId === undefined).map(({ userId }) => userId);
  const leaving = gone.flatMap((userId, at) => {
    const members = content.members.filter((member) => !gone.slice(0, at).includes(member.userId));
    return ['', line('Member', userId), ...countedLines({ content: { ...content, members } }, userId), ...OF_MEMBER];
  });
  const left = content.members.flatMap(({ userId, credentials }) => {
    const ids = removes.flatMap((one) => (one.userId === userId && one.credentialId !== undefined ? [one.credentialId] : []));
    return ids.length === 0 ? [] : ['', line('Member', `${userId} would keep ${credentials.length - ids.length} credentials`)];
  });
  const held = removes.filter((removal) => isOfEndUser(charter, removal));
  const ofEndUsers = held.flatMap(({ userId }) => ['', line('End user', userId), ...OF_END_USER]);
  return [...leaving, ...left, ...ofEndUsers, ''];
}
