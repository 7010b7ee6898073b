import { randomBytes } from 'node:crypto';
import { confirmMovements, withdrawMovements } from '../../../application/movements/settle';
import { EventEntity } from '../../../entities/events/event.entity';
import { type SignatureApi, type SignatureBody, startSignatureApi } from '../../support/signature-api';
import { refusal, START_LIMIT_MS } from '../../support/wallet-api';
import { type WrittenMovement, writeMovements } from '../../support/written-movements';

const NETWORK = 'EthereumSepolia';
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const terms = { ...{ chainId: 11_155_111, to: RECIPIENT, value: '5', gasLimit: '21000', type: 2 }, maxFeePerGas: '9000000000' };
const HEIGHT = 1_000;

let api: SignatureApi;
let nonce = 0;
beforeAll(async () => {
  api = await startSignatureApi();
}, START_LIMIT_MS);
afterAll(() => api?.close());
beforeEach(async () => {
  await api.api.database.arrange('DELETE FROM movements', []);
});

type Sent = SignatureBody & {
  readonly txHash: string;
  readonly fee?: string;
  readonly reason?: string;
  readonly dateConfirmed?: string;
};
const sign = async (): Promise<Sent> => {
  const transaction = { ...terms, maxPriorityFeePerGas: '7', nonce };
  nonce += 1;
  return now(await api.request({ kind: 'Transaction', transaction }, `/wallets/${api.wallet.id}/signatures`));
};
const now = async ({ id }: Pick<Sent, 'id'>) =>
  (await api.admin.client.get(`/wallets/${api.wallet.id}/signatures/${id}`)).body as Sent;
const events = async ({ id }: Sent) =>
  (
    await api.api.database.db.read(api.orgId).rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.aggregate_version', [id])
  ).map(({ kind, aggregateVersion, data }) => ({
    ...{ kind, version: aggregateVersion },
    status: (data['signatureRequest'] as Sent).status,
  }));

/** The movement of the sender, who paid the fee, in the block of the transaction. */
const paying = ({ txHash }: Sent, set: Partial<WrittenMovement> = {}): WrittenMovement => ({
  ...{ subjectId: api.wallet.id, direction: 'Out', txHash, amountUnits: '5', feeUnits: '147000000000' },
  ...set,
});
const mine = (...movements: readonly WrittenMovement[]) => writeMovements(api.api.database.db, api.orgId, movements);
const confirm = (upToHeight = HEIGHT) =>
  api.api.database.db.withOrg(api.orgId, (tx) => confirmMovements(tx, NETWORK, upToHeight));
const withdraw = () =>
  api.api.database.db.withOrg(api.orgId, (tx) => withdrawMovements(tx, NETWORK, HEIGHT, new Date('2020-01-01T00:00:00Z')));

test('a signed transaction is Confirmed with its fee once its block is final, and not before', async () => {
  const signed = await sign();
  await mine(paying(signed));
  await confirm(HEIGHT - 1);
  expect(await now(signed)).toEqual(signed);
  await confirm();
  const confirmed = await now(signed);
  expect(confirmed).toEqual({ ...signed, status: 'Confirmed', fee: '147000000000', dateConfirmed: expect.any(String) });
  expect((await events(signed)).slice(-2)).toEqual([
    { kind: 'wallet.signature.signed', version: expect.any(Number), status: 'Signed' },
    { kind: 'wallet.signature.confirmed', version: expect.any(Number), status: 'Confirmed' },
  ]);
  await confirm();
  expect(await now(signed)).toEqual(confirmed);
  expect((await api.admin.client.get(`/keys/${api.keyId}/signatures?limit=1`)).body).toMatchObject({ items: [confirmed] });
});

test('a transaction that reverted is Confirmed, with its fee and with the reason that it reverted', async () => {
  const signed = await sign();
  await mine(paying(signed, { amountUnits: '0', isReverted: true }));
  await confirm();
  expect(await now(signed)).toMatchObject({
    ...{ status: 'Confirmed', fee: '147000000000', reason: 'The transaction was included and reverted' },
  });
});

test('a fee that another party paid is absent; the fee is found if another movement of the transaction is confirmed first', async () => {
  const [unpaid, paid] = [await sign(), await sign()];
  const other = await api.createWallet();
  await mine(paying(unpaid, { feeUnits: null }), {
    ...paying(paid),
    blockHeight: String(HEIGHT),
    subjectId: other.id,
    direction: 'In',
    feeUnits: null,
    place: '0',
  });
  const dateMined = new Date('2026-03-01T01:00:00Z');
  await mine({ ...paying(paid), dateMined, blockHeight: String(HEIGHT + 1), place: '1' });
  await confirm();
  expect(await now(unpaid)).toMatchObject({ status: 'Confirmed' });
  expect(await now(unpaid)).not.toHaveProperty('fee');
  expect(await now(paid)).toMatchObject({ status: 'Confirmed', fee: '147000000000' });
});

test('a reorganisation makes the signature Signed again, without a fee; in another block it is Confirmed again, with the result of that block', async () => {
  const signed = await sign();
  const [row] = await mine(paying(signed));
  await confirm();
  await withdraw();
  expect(await now(signed)).toEqual(signed);
  await mine(paying(signed, { ...(row && { id: row.id }), feeUnits: '9', isReverted: true }));
  await confirm();
  expect(await now(signed)).toMatchObject({ status: 'Confirmed', fee: '9', reason: expect.stringContaining('reverted') });
  const told = (await events(signed)).slice(-3);
  expect(told.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    'wallet.signature.confirmed Confirmed',
    'wallet.signature.reversed Signed',
    'wallet.signature.confirmed Confirmed',
  ]);
  expect(new Set(told.map(({ version }) => version)).size).toBe(3);
});

test('the withdrawal of a movement that was included but not yet confirmed leaves a signature unchanged', async () => {
  const signed = await sign();
  await mine(paying(signed));
  await withdraw();
  expect(await now(signed)).toEqual(signed);
  expect((await events(signed)).at(-1)).toMatchObject({ kind: 'wallet.signature.signed' });
});

test('a movement in a different transaction, network or organisation does not confirm the signature', async () => {
  const signed = await sign();
  await mine(paying(signed, { txHash: `0x${randomBytes(32).toString('hex')}` }));
  await confirm();
  await mine(paying(signed, { network: 'BaseSepolia' }));
  await api.api.database.db.withOrg(api.orgId, (tx) => confirmMovements(tx, 'BaseSepolia', HEIGHT));
  await api.api.database.db.withOrg(api.stranger.orgId, (tx) => confirmMovements(tx, NETWORK, HEIGHT));
  expect(await now(signed)).toEqual(signed);
});

test('a confirmed transaction cannot be cancelled', async () => {
  const signed = await sign();
  await mine(paying(signed));
  await confirm();
  const path = `/wallets/${api.wallet.id}/signatures/${signed.id}/cancel`;
  expect(await api.admin.client.change('POST', path, {})).toMatchObject(refusal(409, 'WrongState', { status: 'Confirmed' }));
});
