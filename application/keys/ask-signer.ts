import { AppError, invariant } from '../../domain/errors';
import type { KeyRequestAnswer, KeyRequestKind, KeyRequestQuestion } from '../../domain/key-requests';
import type { Tx } from '../../entities/database';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { keyRequestStore } from '../../entities/keys/key-request.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { newId } from '../../platform/ids';
import type { SecretBox } from '../../platform/secret-box';
import { UNANNOUNCED_REREAD_MS } from '../../platform/wait-for-change';
import { KEY_REQUEST } from '../../workflows/key-request.messages';
import { assertNothingPending, type Changed, makeChange } from '../change-requests/proposals';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { type KeyWish, proposalOf, useGrant } from './grants';
import { switchedOff } from './signer-switches';

/**
 * How long the caller waits for the answer. The limit must exceed `KEY_REQUEST_LIFE_MS`, after which the worker refuses to begin
 * the request. Otherwise a late request could have an effect after the caller has stopped waiting.
 */
const ANSWER_LIMIT_MS = 25_000;

/**
 * The question and the answer are sealed in the row, because both contain secrets. Every operator can read the history of a
 * workflow, so no workflow contains the question or the answer.
 */
export const sealQuestion = (box: SecretBox, id: string, question: KeyRequestQuestion): string =>
  box.seal(JSON.stringify(question), `question ${id}`);
export const openQuestion = <K extends KeyRequestKind>(box: SecretBox, row: KeyRequestEntity, kind: K) => {
  invariant(row.kind === kind && row.sealedQuestion !== null, `the key request ${row.id} is open`);
  return JSON.parse(box.open(row.sealedQuestion, `question ${row.id}`)) as Extract<KeyRequestQuestion, { kind: K }>;
};
export const sealAnswer = (box: SecretBox, id: string, answer: KeyRequestAnswer): string =>
  box.seal(JSON.stringify(answer), `answer ${id}`);

const startOf = ({ id, kind }: Pick<KeyRequestEntity, 'id' | 'kind'>): Dispatch => ({
  kind: 'start',
  aggregateId: id,
  dedupeKey: `start:${id}`,
  routing: { workflow: KEY_REQUEST, summary: `${kind} a key` },
});

type Answered = KeyRequestAnswer & Pick<KeyRequestEntity, 'keyId'>;
type Asked = { readonly keyId: string; readonly question: KeyRequestQuestion };
/**
 * Each attempt at an import generates a new key id, but people approved the key id of the first attempt. The key id in a grant
 * therefore replaces `keyId`.
 */
type Judged = Asked & { readonly wish: KeyWish | undefined };

/**
 * Asks the signer, and returns the answer. `prepare` returns the question, or throws if the question is not allowed. `prepare`
 * runs in the transaction that uses up the user action. Throws an error for the caller if the signer refuses. Throws `NotReady`
 * if no answer comes in time.
 */
export async function askSigner(
  services: Services,
  authority: Authority,
  prepare: (tx: Tx) => Promise<Asked>,
): Promise<Answered> {
  const id = newId('keyRequest');
  const start = await act(services.db, authority, async (tx, userActionId) =>
    enqueue(services, tx, { authority, userActionId, id }, await prepare(tx)),
  );
  return answerOf(services, authority, id, start);
}

/**
 * The same as `askSigner`, for questions that policies judge. A policy can hold the question as a change request. Once people
 * have approved the change request, the caller can send the same request again, which is then executed once. Without a `wish`,
 * no policy judges the question. Throws the errors of `askSigner`, `ChangePending` and `PolicyBlocked`.
 */
export async function askSignerWhenPermitted(
  services: Services,
  authority: Authority,
  prepare: (tx: Tx) => Promise<Judged>,
): Promise<Changed<Answered>> {
  const id = newId('keyRequest');
  const changed = await makeChange<Dispatch>(services, authority, async (tx, userActionId) => {
    const { wish, ...asked } = await prepare(tx);
    const by = { authority, userActionId, id };
    if (!wish) return { unchanged: await enqueue(services, tx, by, asked) };
    const grant = await useGrant(tx, wish, authority.caller.userId, id, services);
    if (grant) return { unchanged: await enqueue(services, tx, by, { ...asked, keyId: grant.entityId }) };
    await assertNothingPending(tx, wish.subject);
    return {
      proposal: proposalOf(wish, asked.keyId),
      apply: async (inside) => {
        await enqueue(services, inside, by, asked);
        return undefined;
      },
      read: async () => startOf({ id, kind: asked.question.kind }),
    };
  });
  return 'value' in changed ? { value: await answerOf(services, authority, id, changed.value) } : changed;
}

type Requested = { readonly authority: Authority; readonly userActionId: string; readonly id: string };

async function enqueue(
  { keyRequestSecrets: box }: Services,
  tx: Tx,
  { authority, userActionId, id }: Requested,
  { keyId, question }: Asked,
): Promise<Dispatch> {
  const { kind } = question;
  const { userId, tokenId } = authority.caller;
  await keyRequestStore.add(tx, {
    id,
    kind,
    keyId,
    userId,
    tokenId,
    userActionId,
    sealedQuestion: sealQuestion(box, id, question),
  });
  const start = startOf({ id, kind });
  await outboxStore.add(tx, start);
  return start;
}

/** Waits for the answer. For an import that has used a grant, `keyId` in the result is the key id of the grant. */
async function answerOf(services: Services, { caller: { orgId } }: Authority, id: string, start: Dispatch): Promise<Answered> {
  void services.dispatcher.tryNow(orgId, start);
  const row = await ended(services, orgId, id);
  if (row.status === 'Refused') throw refusalOf(row);
  if (row.status !== 'Done' || row.sealedAnswer === null) throw notReady();
  const answer = JSON.parse(services.keyRequestSecrets.open(row.sealedAnswer, `answer ${id}`)) as KeyRequestAnswer;
  await services.db.withOrg(orgId, (tx) => keyRequestStore.forget(tx, id));
  return { ...answer, keyId: row.keyId };
}

async function ended({ db, changes }: Services, orgId: string, id: string): Promise<KeyRequestEntity> {
  const read = () => keyRequestStore.find(db.read(orgId), id);
  const isOver = (row: KeyRequestEntity | undefined) => row?.status === 'Done' || row?.status === 'Refused';
  const row = await changes.waitFor(id, read, isOver, ANSWER_LIMIT_MS, UNANNOUNCED_REREAD_MS);
  invariant(row, `the key request ${id} is never deleted`);
  return row;
}

const notReady = () =>
  new AppError('NotReady', 'The signer did not answer in time. The list of keys shows whether the key was imported or exported.');

const SHARE = 'encryptedKeyShares.0.encryptedKeyShare';

/** The name of the refusal comes from the signer or from this service. */
function refusalOf({ refusal, keyId }: KeyRequestEntity): AppError {
  const [name = '', subject] = refusal?.split(' ') ?? [];
  switch (name) {
    case 'ShareNotOpened':
      return badField(SHARE, 'was not encrypted to this signer for this import');
    case 'InvalidSecret':
      return badField(SHARE, 'is not a secret key of this curve');
    case 'UnknownSigner':
      return badField('encryptedKeyShares.0.signerId', 'must be the id of a signer that listSigners returns');
    case 'InvalidRecipientKey':
      return badField('encryptionKey', 'must be an X25519 public key');
    case 'ExportSwitchedOff':
      return switchedOff('Export', 'encryptionKey');
    case 'KeyStoreNotActive':
      return badField('protocol', 'is not possible: the key store of imported keys makes no new keys any more');
    case 'KeyExists':
      return new AppError('Conflict', 'Conflicting key with same public key', subject ? { duplicate: { id: subject } } : {});
    case 'ExternalIdTaken':
      return new AppError('Conflict', 'Conflicting wallet with same externalId');
    case 'NotPermitted':
      return new AppError('PolicyBlocked', 'A policy asks for an approval that the request does not have', { keyId });
    case 'TargetFrozen':
      return new AppError('TargetFrozen', 'the key is frozen', { freezeId: subject });
    case 'Unproven':
      return new AppError('Forbidden', `The request was refused: ${subject}`, { keyId });
    case 'TooLate':
      return notReady();
    default:
      return new AppError('WrongState', `The signer refused: ${name}`, { keyId });
  }
}
