import { z } from 'zod';
import { isDecisionPath } from '../domain/approvals';
import { type CharterRequest, charterRequestAt } from '../domain/charter-requests';
import { SIGNED_BODY_BYTES_MAX } from '../domain/charters';
import { plain } from '../operator/charters/plain';
import { Id, inBytes } from '../signer/wire/schemas';
import { bodyLines } from './asking/json-lines';
import { ASKING_WORDS } from './asking/words';
import { addressBookOf } from './content/address-book';
import { line } from './content/content-words';
import { addressBookIn, lastSeen } from './home';
import { assertVerified, NotVerified } from './not-verified';
import { privateKeyIn } from './private-key';
import { jsonIn } from './read-file';
import { memberWith, signShown, type Terminal } from './signed-file';
import { charterOf } from './trusted-charter';
import { type UserAction, userActionIn } from './user-action';

type Options = {
  readonly home: string;
  readonly file: string;
  readonly request: string;
  readonly key: string;
  readonly to: string;
  readonly credential?: string | undefined;
  readonly addressBook?: string | undefined;
};

/** The request that the client will send. `body` is the exact text, and empty for a request without a body. */
const File = z.strictObject({
  method: z.string().min(1).max(16),
  path: z.string().min(1).max(2_048),
  body: z.string().refine(inBytes(SIGNED_BODY_BYTES_MAX), `must have at most ${SIGNED_BODY_BYTES_MAX} bytes`),
});
type Wish = z.infer<typeof File>;

/** Verifies the request and the challenge, asks the person, and writes the body of `POST /auth/action`. */
export async function signRequest(options: Options, terminal: Terminal, now: Date): Promise<readonly string[]> {
  const wish = jsonIn(options.request, File, 'a request: {"method", "path", "body"}');
  const { kind, params } = placeOf(wish);
  const body = bodyLines(wish.body);
  const action = userActionIn(options.file, wish.body, now);
  assertOf(action, wish);
  const { org, user } = action.commitment;
  const seen = lastSeen(options.home, org);
  const charter = charterOf(seen);
  const key = privateKeyIn(options.key);
  const { member, credential } = memberWith(charter, user, key, { operation: kind, words: `call ${kind}` });
  const book = addressBookOf(options.addressBook ?? addressBookIn(options.home));
  const words = ASKING_WORDS[kind]({ charter, member, credential, params, body: wish.body, book });
  const lines = [
    line('Organisation', org),
    line('Charter', `sequence ${seen.sequence}, digest ${seen.digest}, seen on ${seen.dateSeen}`),
    ...words.lines,
  ];
  const shown = { lines: body, words: wish.body === '' ? 'no body' : `the exact body of ${plain(options.request)}` };
  const confirm = { ...words.confirm, act: 'SIGN' };
  return signShown({ action, body: shown, key, to: options.to, credential: options.credential, lines, confirm }, terminal);
}

/** Throws `NotVerified` for a method and path to which no charter applies. */
function placeOf(wish: Wish): CharterRequest {
  const { method, path } = wish;
  const place = plain(`${method} ${path}`);
  assertVerified(!/[?#]/.test(path), `${place} has a query. A signed path has none.`);
  const [, approvalId] = /\/policy-approvals\/([^/]+)\/decisions/.exec(path) ?? [];
  assertVerified(
    !isDecisionPath(path, approvalId),
    `${place} decides on an approval. Read the approval and decide with "strongroom-verify sign"; this program signs no decision on several approvals at once.`,
  );
  const found = charterRequestAt(wish);
  if (!found) throw new NotVerified(`${place} is a request about which no charter says anything.`);
  const isSound = Object.values(found.params).every((id) => Id.safeParse(id).success);
  assertVerified(isSound, `${place} does not name its object by an id.`);
  return found;
}

function assertOf({ commitment }: UserAction, wish: Wish): void {
  const { method, path, approvalDigest } = commitment;
  assertVerified(
    method === wish.method && path === wish.path,
    `The challenge is for ANOTHER REQUEST: ${plain(`${method} ${path}`)}, and not for ${plain(`${wish.method} ${wish.path}`)}.`,
  );
  assertVerified(approvalDigest === undefined, 'The challenge covers the content of an approval, which your request does not.');
}
