import { createPublicKey, type KeyObject, sign as signBytes } from 'node:crypto';
import type { CharterOperation } from '../domain/charters';
import { plain } from '../operator/charters/plain';
import { createPrivateText } from '../operator/charters/private-text';
import { pemOf } from '../platform/credential-keys';
import { sha256Hex } from '../platform/digests';
import { isSignedByKey } from '../platform/key-assertions';
import { VERIFIER_ORIGIN } from '../platform/seen-assertions';
import type { CharterCredential, CharterMember } from '../signer/charters/charter';
import type { CharterInForce } from '../signer/charters/charter-in-force';
import { line } from './content/content-words';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import type { UserAction } from './user-action';

/** `show` prints, and `ask` reads one line that the person types. */
export type Terminal = { readonly show: (lines: readonly string[]) => void; readonly ask: (question: string) => Promise<string> };
export type MemberKey = { readonly member: CharterMember; readonly credential: CharterCredential };

const CONFIRMED_CHARS = 6;

/** The member for whom the key signs. Throws `NotVerified` unless the charter lets the key call the operation. */
export function memberWith(charter: CharterInForce, userId: string, key: KeyObject, wanted: Wanted): MemberKey {
  const member = charter.member(userId);
  if (!member) throw new NotVerified(`The challenge is for ${userId}, whom the charter does not name.`);
  const pem = pemOf(createPublicKey(key));
  const credential = member.credentials.find(({ publicKey }) => publicKey.trim() === pem.trim());
  if (!credential)
    throw new NotVerified(`Your key is not one that the charter names for ${userId}. The signer would not count it.`);
  assertVerified(credential.operations.includes(wanted.operation), `The charter does not let this key ${wanted.words}.`);
  return { member, credential };
}

type Wanted = { readonly operation: CharterOperation; readonly words: string };
type Signing = {
  readonly action: UserAction;
  /** The lines that show the body, and the words that describe it to the person. */
  readonly body: { readonly lines: readonly string[]; readonly words: string };
  readonly key: KeyObject;
  /** Where the signed file is written. */
  readonly to: string;
  readonly credential: string | undefined;
  readonly lines: readonly string[];
  readonly confirm: Confirm;
};
/** The person types the last characters of the text. */
type Confirm = { readonly what: string; readonly text: string; readonly act: string };

/** Throws `NotVerified` unless the person types the end of the text. */
export async function assertConfirmed({ what, text, act }: Confirm, { ask }: Terminal): Promise<void> {
  const shown = plain(text.slice(0, -CONFIRMED_CHARS));
  const typed = await ask(`Type the last ${CONFIRMED_CHARS} characters of ${what} ("${shown}……") to ${act}: `);
  assertVerified(typed.trim() === text.slice(-CONFIRMED_CHARS), 'You typed something else. Nothing was signed.');
}

/** Shows the lines, lets the person confirm them, and writes the body of `POST /auth/action`. */
export async function signShown(signing: Signing, terminal: Terminal): Promise<readonly string[]> {
  const { action, body, key, to, credential, lines, confirm } = signing;
  const credId = credentialOf(action, credential);
  const { user, method, path, expires, anchor } = action.commitment;
  const shown = [
    ...lines,
    '',
    line('You sign', `${method} ${plain(path)}`),
    ...body.lines,
    line('As', user),
    line('Until', expires),
    ...(anchor === undefined
      ? [line('Anchor', 'NONE: the signer will not count this signature. Announce the request again.')]
      : []),
  ];
  terminal.show(shown);
  await assertConfirmed(confirm, terminal);
  const assertion = assertionOf(action.challenge, key, { credId, shownSha256: sha256Hex(shown.join('\n')) });
  const { challengeIdentifier } = action;
  const signed = { challengeIdentifier, firstFactor: { kind: 'Key', credentialAssertion: assertion } };
  await createPrivateText(to, `${JSON.stringify(signed)}\n`);
  const next = `send ${method} ${plain(path)} with ${body.words}`;
  return [`SIGNED: ${plain(to)} is the body of POST /auth/action. With the token that it returns, ${next}.`];
}

function credentialOf({ allowCredentials, commitment }: UserAction, wanted: string | undefined): string {
  const ids = allowCredentials.key.map(({ id }) => id).filter((id) => commitment.credentials.includes(id));
  const [only, ...others] = wanted === undefined ? ids : ids.filter((id) => id === wanted);
  if (only !== undefined && others.length === 0) return only;
  throw new WrongUsage(`--credential must be the id of your key's credential, one of: ${ids.map(plain).join(', ') || 'none'}`);
}

/** Ed25519 hashes the bytes itself; every other key signs their SHA-256. */
export const signatureBy = (key: KeyObject, bytes: Buffer): Buffer =>
  signBytes(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', bytes, key);

function assertionOf(challenge: string, key: KeyObject, { credId, shownSha256 }: { credId: string; shownSha256: string }) {
  const text = JSON.stringify({ type: 'key.get', challenge, origin: VERIFIER_ORIGIN, crossOrigin: false, shownSha256 });
  const bytes = Buffer.from(text, 'utf8');
  const signature = signatureBy(key, bytes).toString('base64url');
  const assertion = { credId, clientData: bytes.toString('base64url'), signature };
  const isOne = isSignedByKey(pemOf(createPublicKey(key)), challenge, assertion);
  assertVerified(isOne, 'The key cannot sign in a way that the service would accept.');
  return assertion;
}
