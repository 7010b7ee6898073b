import type { TransactionRequest, TransferRequest } from '../../../../application/outgoing/family-forms';
import { requestTransaction } from '../../../../application/outgoing/request-transaction';
import { requestTransfer } from '../../../../application/outgoing/request-transfer';
import type { Services } from '../../../../application/services';
import { solanaCodecOf } from '../../../../chains/codecs';
import { solanaDecoderOf } from '../../../../chains/decoders';
import { createReaders } from '../../../../chains/readers';
import type { SolanaLifetime } from '../../../../chains/solana/types';
import { NONCE_MAKERS_MAX, nonceSeedsOf } from '../../../../domain/nonce-accounts';
import { createSecretBox } from '../../../../platform/secret-box';
import { startBank, type TestBank } from '../../../local/solana/bank';
import { keyOf } from '../../../local/solana/tokens';
import { type Actor, createActor } from '../../../support/actor';
import { APPROVING } from '../../../support/approving';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { addOfflineStores } from '../../../support/fleet-rows';
import { insertWallet } from '../../../support/held-activity';

const codec = solanaCodecOf('SolanaDevnet');
const [offline, software, other] = [keyOf(41).address, keyOf(42).address, keyOf(43).address];

let database: TestDatabase;
let bank: TestBank;
let services: Services;
let actor: Actor;
let walletIds: Readonly<Record<'offline' | 'software', string>>;
beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startBank()]);
  for (const address of [offline, software]) bank.call('requestAirdrop', address, 1_000_000_000);
  bank.call('strongroom_advanceSlots', 40);
  const orgId = await database.createOrganization();
  actor = await createActor(database.db, orgId);
  await addOfflineStores(database.db, orgId, ['vault-1']);
  walletIds = { offline: await insertWallet(database.db, orgId), software: await insertWallet(database.db, orgId) };
  for (const [id, address] of [
    [walletIds.offline, offline],
    [walletIds.software, software],
  ] as const)
    await database.arrange(`UPDATE wallets SET network = 'SolanaDevnet', address = $2 WHERE id = $1`, [id, address]);
  const ofWallet = `(SELECT key_id FROM wallets WHERE id = $1)`;
  await database.arrange(`UPDATE keys SET store_id = 'vault-1' WHERE id = ${ofWallet}`, [walletIds.offline]);
  const box = createSecretBox(Buffer.alloc(32), 'webhook-secrets');
  const nothing = async () => undefined;
  services = {
    db: database.db,
    readers: createReaders({ SolanaDevnet: [bank.url] }),
    dispatcher: { carryOut: nothing, tryNow: nothing, execute: () => Promise.reject(new Error('no workflow is executed here')) },
    changes: { waitFor: (_id, read) => read(), close: nothing },
    webhookTargets: { allowLoopback: false },
    ...{ webhookSecrets: box, keyRequestSecrets: box, travelRuleSecrets: box, ...APPROVING, integrationSecrets: box },
  };
});
afterAll(async () => {
  await Promise.all([bank?.close(), database?.close()]);
});

const pay = async (set: Partial<TransferRequest> = {}) => {
  const body = { kind: 'Native', to: software, amount: '1', ...set } as const;
  return requestTransfer(services, await actor.authority(), walletIds.offline, body);
};
const broadcast = async (from: 'offline' | 'software', body: object) =>
  requestTransaction(services, await actor.authority(), walletIds[from], body as TransactionRequest);
const creation = { kind: 'CreateSolanaNonceAccounts', nonceAuthority: offline } as const;
const refusedAt = (path: string, message: string) => ({
  details: { issues: [{ path, message: expect.stringContaining(message) }] },
});

test('a transfer of an offline wallet without nonce accounts is refused, and the message says how to get them', async () => {
  for (const set of [{}, { useDurableNonce: true }])
    await expect(pay(set)).rejects.toMatchObject(refusedAt('body.useDurableNonce', `with nonceAuthority ${offline}`));
  await expect(pay({ useDurableNonce: false })).rejects.toMatchObject(refusedAt('body.useDurableNonce', 'must not be false'));
  await expect(broadcast('offline', { kind: 'CreateSolanaNonceAccounts' })).rejects.toMatchObject(
    refusedAt('body.kind', 'from a wallet of the software store'),
  );
});

test('nonce accounts are created neither for an unknown address nor for another wallet of the software store', async () => {
  const id = await insertWallet(database.db, actor.caller.orgId);
  const able = keyOf(44).address;
  await database.arrange(`UPDATE wallets SET network = 'SolanaDevnet', address = $2 WHERE id = $1`, [id, able]);
  for (const nonceAuthority of [other, able])
    await expect(broadcast('software', { ...creation, nonceAuthority })).rejects.toMatchObject(
      refusedAt('body.nonceAuthority', 'lies in an offline store'),
    );
});

test('a wallet of the software store creates nonce accounts that only the offline wallet can use, at most four wallets for one', async () => {
  const { id, terms } = await broadcast('software', { ...creation, count: 2 });
  const made = terms?.family === 'solana' ? solanaDecoderOf('SolanaDevnet').nonceAccountsIn(terms.call.messageHex) : undefined;
  expect(made).toMatchObject({ owner: software, authority: offline, seeds: nonceSeedsOf(software, offline).slice(0, 2) });
  const makers = Array.from({ length: NONCE_MAKERS_MAX }, (_, index) => keyOf(50 + index).address);
  const ids = [id];
  while (ids.length < makers.length) ids.push((await broadcast('software', creation)).id);
  for (const [index, maker] of makers.slice(1).entries()) await confirmedBy(ids[index + 1] ?? '', maker);
  await expect(broadcast('software', creation)).resolves.toBeDefined();
  await confirmedBy(id, makers[0] ?? '');
  await expect(broadcast('software', creation)).rejects.toMatchObject(refusedAt('body.nonceAuthority', makers[0] ?? ''));
  await confirmedBy(id, software);
  await expect(broadcast('software', creation)).resolves.toBeDefined();
});

const confirmedBy = (id: string, maker: string) =>
  database.arrange(`UPDATE transfers SET state = 'Confirmed', from_address = $2 WHERE id = $1`, [id, maker]);

test('a raw transaction of an offline wallet needs a durable nonce', async () => {
  const intent = { network: 'SolanaDevnet', from: offline, to: software, amountUnits: 1n, asset: { kind: 'Native' } } as const;
  const built = (lifetime: SolanaLifetime) =>
    codec.build(intent, { lifetime, computeUnitLimit: 1_000, microLamportsPerUnit: 0n }).bytesHex;
  const ask = (transaction: string) => broadcast('offline', { kind: 'Transaction', transaction });
  const value = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';
  const expiring = built({ kind: 'blockhash', blockhash: value, lastValidBlockHeight: 0n });
  await expect(ask(expiring)).rejects.toMatchObject(refusedAt('body.transaction', 'must use a durable nonce'));
  await expect(ask(built({ kind: 'durable-nonce', account: other, authority: offline, value }))).resolves.toBeDefined();
});
