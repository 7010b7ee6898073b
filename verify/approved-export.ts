import { isExport } from '../domain/charters';
import { plain } from '../operator/charters/plain';
import type { CharterInForce } from '../signer/charters/charter-in-force';
import { ApprovedExport, ExportBody, secretAsked } from '../signer/judging/people/judge-secret';
import type { AssertedAction } from '../signer/judging/people/signed-action';
import { readSignedBody } from '../signer/judging/requests/signed-body';
import { NOT_PROVED } from './approved-change';
import { asSignerReads } from './asking/asking';
import { keyLines } from './asking/secret-words';
import { type Approved, assertOfCharter } from './content/approval-content';
import { line } from './content/content-words';
import { assertCounted } from './content/requester';
import { assertVerified, NotVerified } from './not-verified';

type Found = {
  readonly charter: CharterInForce;
  readonly approved: Approved;
  /** Undefined if the service does not keep the signed request. */
  readonly asked: AssertedAction | undefined;
};

/** The lines that show the export of a key to its approvers. Throws `NotVerified`. */
export function exportSubject({ charter, approved, asked }: Found) {
  const content = ApprovedExport.safeParse(approved.envelope).data;
  const { exports } = charter.content;
  if (!content || !exports)
    throw new NotVerified('This approval is about the export of a key, which the charter that you trust forbids.');
  const { requester, entityId: keyId, change } = content;
  assertOfCharter(charter, approved, requester);
  if (asked) assertAskedFor(charter, content, asked);
  const lines = [
    line('Asked by', asked ? `${requester}, with a key of the charter` : `${NOT_PROVED}. The service says ${requester}`),
    line('Asks for', 'the EXPORT of a key: its holder can move everything that the key controls'),
    ...keyLines(charter, keyId),
    line('Public key', plain(change.publicKey)),
    line('Encrypted to', plain(change.encryptionKey)),
    line(
      'Then waits',
      `${exports.waitHours} hours after the last vote. Until then a freeze of the key, or the removal of a voter, stops it`,
    ),
  ];
  return { lines, confirm: { what: 'the encryption key', text: change.encryptionKey } };
}

/**
 * Throws `NotVerified` unless the requester signed a request for exactly this export. The signer's own code reads the request.
 */
function assertAskedFor(charter: CharterInForce, { entityId, requester, change }: ApprovedExport, action: AssertedAction): void {
  const { method, path, body } = action;
  const asked = secretAsked(charter, action);
  if (!asked || !isExport(asked.kind))
    throw new NotVerified(`The requester signed another kind of request: ${plain(`${method} ${path}`)}.`);
  assertCounted(action, asked.kind);
  const { encryptionKey } = asSignerReads('the export of a key', () => readSignedBody(ExportBody, action));
  assertVerified(
    asked.keyId === entityId && encryptionKey === change.encryptionKey && action.member.userId === requester,
    `The content was ALTERED: the requester asked for something else, namely ${plain(`${method} ${path} ${body}`)}.`,
  );
}
