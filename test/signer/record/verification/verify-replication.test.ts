import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../../../../platform/logger';
import type { Fence, Journal } from '../../../../signer/record/journal/journal';
import { aloneBytes, draftStatement, placeStatement } from '../../../../signer/record/replication/alone';
import { judgeReplication } from '../../../../signer/record/replication/replication';
import type { SignedStatement } from '../../../../signer/record/replication/replication-entries';
import { verifyFolder } from '../../../../signer/record/verification/verify-folder';
import { kekOf, openJournal, openOperations, temporaryFolder } from '../../fixtures';
import { takeover, withdrawal } from './verified-place';

const operator = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const LINE = expect.stringMatching(/^journal-00000\d\.jsonl, line \d+$/);

let temporary: ReturnType<typeof temporaryFolder>;
let stateDir: string;
beforeEach(async () => {
  temporary = temporaryFolder();
  stateDir = join(temporary.path, 'state');
  mkdirSync(stateDir, { mode: 0o700 });
  await (await openOperations(stateDir)).close();
  await write(async (journal) => {
    await journal.append({ kind: 'ReplicationSet', mode: 'Replicated', epoch: 1 });
    await journal.append(withdrawal('first'));
  });
});
afterEach(() => temporary.remove());

const check = (operatorKey?: KeyObject) => verifyFolder({ stateDir, kek: kekOf(7), operatorKey, workDir: temporary.path });
const faultsWith = async (key: KeyObject) => (await check(key)).faults;
const fault = (words: string) => [{ place: LINE, fault: `the signer continued without its replica ${words}` }];

/** Opens the journal as a starting signer does, but without the checks at its start. */
async function write(work: (journal: Journal) => Promise<unknown>, fence?: Fence): Promise<void> {
  const journal = await openJournal(stateDir, fence);
  await work(journal);
  await journal.close();
}

function signed(statement: string, by: KeyObject): SignedStatement {
  return { statement, signature: sign(null, aloneBytes(statement), by).toString('base64') };
}

/** Starts without the replica, as the signer does after the operator's commands permit it. */
async function startAlone({ privateKey, publicKey } = operator, fence?: Fence): Promise<SignedStatement> {
  const statement = signed(await draftStatement(stateDir), privateKey);
  await placeStatement(stateDir, JSON.stringify(statement));
  const logger = createLogger('signer', 'silent');
  const parts = { stateDir, kek: kekOf(7), address: undefined, operatorKey: publicKey, logger, onLost: () => undefined };
  const { settle } = await judgeReplication(parts);
  await write(settle, fence);
  return statement;
}

/** Puts a line into the journal that no signer would write at its start. */
const record = (given: SignedStatement | undefined) =>
  write((journal) => journal.append({ kind: 'ReplicationSet', mode: 'Alone', epoch: 2, ...(given ? { signed: given } : {}) }));

const changed = async (change: (head: Record<string, unknown>) => object) =>
  signed(JSON.stringify(change(JSON.parse(await draftStatement(stateDir)))), operator.privateKey);

test('the check accepts a start without the replica if the operator has permitted it, and also the lines after the start', async () => {
  await startAlone();
  await write((journal) => journal.append(withdrawal('second')));
  expect(await check(operator.publicKey)).toMatchObject({ faults: [], earlierUnsigned: 0 });
  expect((await check()).faults).toEqual([]);
});

test('the check also accepts a start without the replica that takes the folder over, even after a failed start', async () => {
  await write(async () => undefined, takeover);
  await startAlone(operator, takeover);
  expect(await faultsWith(operator.publicKey)).toEqual([]);
});

test('a start without the replica and without a statement is a fault', async () => {
  await record(undefined);
  expect(await faultsWith(operator.publicKey)).toEqual(fault('and without a statement'));
  expect((await check()).faults).toHaveLength(1);
});

test('a statement that cannot be read is a fault', async () => {
  await record(signed('{"mode":"Alone"}', operator.privateKey));
  expect(await faultsWith(operator.publicKey)).toEqual(fault('by a statement that cannot be read'));
});

test('a statement for another signer is a fault', async () => {
  await record(await changed((given) => ({ ...given, signerId: 'sgn-other' })));
  expect(await faultsWith(operator.publicKey)).toEqual(fault('by a statement for another signer'));
});

test('a statement for an earlier line is a fault, and so is a statement for a line that never existed', async () => {
  const early = signed(await draftStatement(stateDir), operator.privateKey);
  await write((journal) => journal.append(withdrawal('second')));
  await record(early);
  await record(await changed((given) => ({ ...given, head: 'a'.repeat(64) })));
  expect(await faultsWith(operator.publicKey)).toEqual([
    ...fault('by a statement for another last line'),
    ...fault('by a statement for another last line'),
  ]);
});

test('a statement that is used a second time is a fault', async () => {
  const statement = await startAlone();
  await write((journal) => journal.append({ kind: 'ReplicationSet', mode: 'Replicated', epoch: 3 }));
  await record(statement);
  expect(await faultsWith(operator.publicKey)).toEqual(fault('by a statement that was used before'));
});

test('the statement in force must have the signature of the operator, and the check counts earlier statements that another key signed', async () => {
  await startAlone(other);
  expect(await faultsWith(operator.publicKey)).toEqual(fault('by a statement that is not signed with SIGNER_OPERATOR_KEY'));
  expect(await faultsWith(other.publicKey)).toEqual([]);
  await write((journal) => journal.append({ kind: 'ReplicationSet', mode: 'Replicated', epoch: 3 }));
  expect(await check(operator.publicKey)).toMatchObject({ faults: [], earlierUnsigned: 1 });
});
