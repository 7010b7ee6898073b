import { createPublicKey, type KeyObject, sign as signBytes } from 'node:crypto';
import { isDecisionPath } from '../domain/approvals';
import type { CharterOperation } from '../domain/charters';
import { plain } from '../operator/charters/plain';
import { createPrivateText } from '../operator/charters/private-text';
import { pemOf } from '../platform/credential-keys';
import { sha256Hex } from '../platform/digests';
import { isSignedByKey } from '../platform/key-assertions';
import { VERIFIER_ORIGIN } from '../platform/seen-assertions';
import type { CharterInForce } from '../signer/charters/charter-in-force';
import { verifiedApproval } from './approval';
import { line } from './content/content-words';
import { assertVerified, NotVerified, WrongUsage } from './not-verified';
import { privateKeyIn } from './private-key';
import { type UserAction, userActionIn } from './user-action';

type Options = {
  readonly home: string;
  readonly file: string;
  readonly approval: string;
  readonly key: string;
  readonly to: string;
  readonly deny?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly credential?: string | undefined;
  readonly addressBook?: string | undefined;
};
/** `show` prints, and `ask` reads one line that the person types. */
export type Terminal = { readonly show: (lines: readonly string[]) => void; readonly ask: (question: string) => Promise<string> };

const CONFIRMED_CHARS = 6;
const VOTE = 'createApprovalDecision' satisfies CharterOperation;

/** The exact body that the request must be announced and sent with. */
export const decisionBody = ({ deny = false, reason }: Pick<Options, 'deny' | 'reason'>): string =>
  JSON.stringify({ value: deny ? 'Denied' : 'Approved', ...(reason === undefined ? {} : { reason }) });

/** Verifies the approval and the challenge, asks the person, and writes the body of `POST /auth/action`. */
export async function sign(options: Options, terminal: Terminal, now: Date): Promise<readonly string[]> {
  const { charter, approvalId, digest, subject, lines } = verifiedApproval({ ...options, file: options.approval }, now);
  const body = decisionBody(options);
  const action = userActionIn(options.file, body, now);
  assertVoteOn(action, { approvalId, digest, orgId: charter.content.organizationId });
  const key = privateKeyIn(options.key);
  assertMayVote(charter, action.commitment.user, key);
  const credId = credentialOf(action, options.credential);
  const { user, method, path, expires } = action.commitment;
  const shown = [
    ...lines,
    '',
    line('You sign', `${method} ${plain(path)}`),
    line('', plain(body)),
    line('As', user),
    line('Until', expires),
  ];
  terminal.show(shown);
  const wanted = subject.slice(-CONFIRMED_CHARS);
  const typed = await terminal.ask(
    `Type the last ${CONFIRMED_CHARS} characters of the recipient ("${plain(subject).slice(0, -CONFIRMED_CHARS)}……") to ${options.deny ? 'DENY' : 'APPROVE'}: `,
  );
  assertVerified(typed.trim() === wanted, 'You typed something else. Nothing was signed.');
  const assertion = assertionOf(action.challenge, key, { credId, shownSha256: sha256Hex(shown.join('\n')) });
  const { challengeIdentifier } = action;
  const signed = { challengeIdentifier, firstFactor: { kind: 'Key', credentialAssertion: assertion } };
  await createPrivateText(options.to, `${JSON.stringify(signed)}\n`);
  return [
    `SIGNED: ${plain(options.to)} is the body of POST /auth/action. With the token that it returns, send ${method} ${plain(path)} with the body ${plain(body)}.`,
  ];
}

type Vote = { readonly approvalId: string; readonly digest: string; readonly orgId: string };

function assertVoteOn({ commitment }: UserAction, { approvalId, digest, orgId }: Vote): void {
  const { org, method, path, approvalDigest } = commitment;
  assertVerified(org === orgId, `The challenge is for ANOTHER ORGANISATION (${org}) than the approval (${orgId}).`);
  assertVerified(
    method === 'POST' && isDecisionPath(path, approvalId),
    `The challenge is for ANOTHER REQUEST: ${plain(`${method} ${path}`)}, and not for a decision on ${approvalId}.`,
  );
  assertVerified(
    approvalDigest === digest,
    'The challenge covers OTHER CONTENT than the approval that you verified: its digest is another one.',
  );
}

function assertMayVote(charter: CharterInForce, userId: string, key: KeyObject): void {
  const member = charter.member(userId);
  if (!member) throw new NotVerified(`The challenge is for ${userId}, whom the charter does not name.`);
  const pem = pemOf(createPublicKey(key));
  const credential = member.credentials.find(({ publicKey }) => publicKey.trim() === pem.trim());
  if (!credential)
    throw new NotVerified(`Your key is not one that the charter names for ${userId}. The signer would not count it.`);
  assertVerified(credential.operations.includes(VOTE), 'The charter does not let this key approve or deny.');
}

function credentialOf({ allowCredentials, commitment }: UserAction, wanted: string | undefined): string {
  const ids = allowCredentials.key.map(({ id }) => id).filter((id) => commitment.credentials.includes(id));
  const [only, ...others] = wanted === undefined ? ids : ids.filter((id) => id === wanted);
  if (only !== undefined && others.length === 0) return only;
  throw new WrongUsage(`--credential must be the id of your key's credential, one of: ${ids.map(plain).join(', ') || 'none'}`);
}

function assertionOf(challenge: string, key: KeyObject, { credId, shownSha256 }: { credId: string; shownSha256: string }) {
  const text = JSON.stringify({ type: 'key.get', challenge, origin: VERIFIER_ORIGIN, crossOrigin: false, shownSha256 });
  const bytes = Buffer.from(text, 'utf8');
  const signature = signBytes(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', bytes, key).toString('base64url');
  const assertion = { credId, clientData: bytes.toString('base64url'), signature };
  const isOne = isSignedByKey(pemOf(createPublicKey(key)), challenge, assertion);
  assertVerified(isOne, 'The key cannot sign in a way that the service would accept.');
  return assertion;
}
