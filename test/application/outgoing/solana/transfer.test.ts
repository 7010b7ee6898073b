import type { TransferRequest } from '../../../../application/outgoing/family-forms';
import { requestTransaction } from '../../../../application/outgoing/request-transaction';
import { requestTransfer } from '../../../../application/outgoing/request-transfer';
import type { Services } from '../../../../application/services';
import { solanaCodecOf } from '../../../../chains/codecs';
import { createReaders } from '../../../../chains/readers';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { createSecretBox } from '../../../../platform/secret-box';
import { startBank, type TestBank } from '../../../local/solana/bank';
import { keyOf, makeToken } from '../../../local/solana/tokens';
import { type Actor, createActor } from '../../../support/actor';
import { APPROVING } from '../../../support/approving';
import { createTestDatabase, type TestDatabase } from '../../../support/database';
import { insertWallet } from '../../../support/held-activity';

const SOL = 1_000_000_000n;
const [owner, somebody, stranger] = [keyOf(31), keyOf(32), keyOf(33)];
const [plain, bound] = [keyOf(34), keyOf(35)];

let database: TestDatabase;
let bank: TestBank;
let services: Services;
let orgId: string;
let walletId: string;
let actor: Actor;
beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startBank()]);
  bank.call('requestAirdrop', owner.address, Number(SOL));
  bank.call('requestAirdrop', somebody.address, Number(SOL));
  await makeToken(bank.call, { program: 'Spl', mint: plain, owner: owner.address, amount: 5_000n });
  await makeToken(bank.call, {
    ...{ program: 'Spl2022', extension: 'nonTransferable' },
    ...{ mint: bound, owner: owner.address, amount: 0n },
  });
  bank.call('strongroom_advanceSlots', 40);
  orgId = await database.createOrganization();
  actor = await createActor(database.db, orgId);
  walletId = await insertWallet(database.db, orgId);
  await database.arrange(`UPDATE wallets SET network = 'SolanaDevnet', address = $2 WHERE id = $1`, [walletId, owner.address]);
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

const spl = { kind: 'Spl', mint: plain.address, amount: '1' } as const;
const ask = async (set: Partial<TransferRequest>) =>
  requestTransfer(services, await actor.authority(), walletId, { kind: 'Native', to: somebody.address, amount: '1', ...set });
const rows = () => database.db.read(orgId).rows(OutgoingEntity, '');

test.each<[string, Partial<TransferRequest>, string]>([
  ['an address on a different network', { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }, 'body.to'],
  ['an address that is too short', { to: somebody.address.slice(4) }, 'body.to'],
  ['more than the wallet holds', { amount: String(SOL + 1n) }, 'body.amount'],
  ['more than an account can hold', { amount: String(2n ** 64n) }, 'body.amount'],
  ['less than the minimum balance of a new account', { to: stranger.address, amount: '1000' }, 'body.amount'],
  ['a memo of 65 characters', { memo: 'x'.repeat(65) }, 'body.memo'],
  ['a memo with a space', { memo: 'for rent' }, 'body.memo'],
  ['a durable nonce that the wallet does not have', { useDurableNonce: true }, 'body.useDurableNonce'],
  ['a kind of transfer that only other networks have', { kind: 'Erc20', contract: plain.address }, 'body.kind'],
  ['an unknown token', { ...spl, mint: stranger.address }, 'body.mint'],
  ['a token of the other token program', { ...spl, kind: 'Spl2022' }, 'body.kind'],
  ['more tokens than the wallet holds', { ...spl, amount: '5001' }, 'body.amount'],
  ['a recipient without an account for the token', spl, 'body.createDestinationAccount'],
  ['a token that cannot be transferred', { ...spl, kind: 'Spl2022', mint: bound.address }, 'body.mint'],
])('%s is refused with its path, and nothing is stored', async (_title, set, path) => {
  const before = (await rows()).length;
  const details = { issues: [expect.objectContaining({ path })] };
  await expect(ask(set)).rejects.toMatchObject({ code: expect.stringMatching(/^Invalid(Request|Address)$/), details });
  expect(await rows()).toHaveLength(before);
});

test('a token account is refused as a recipient, because an address without a key cannot own a token account', async () => {
  const to = await solanaCodecOf('SolanaDevnet').associatedTokenAddress(somebody.address, plain.address, 'Spl');
  const details = { issues: [expect.objectContaining({ path: 'body.to' })] };
  await expect(ask({ ...spl, to, createDestinationAccount: true })).rejects.toMatchObject({ details });
});

test('a transfer that the network would accept is recorded, with a new token account if requested', async () => {
  expect(await ask({ memo: 'rent42' })).toMatchObject({ assetKind: 'Native', amountUnits: '1', options: { memo: 'rent42' } });
  const made = await ask({ ...spl, createDestinationAccount: true });
  expect(made).toMatchObject({ assetKind: 'Spl', contract: plain.address, assetDecimals: 6 });
});

test('a request is refused when the node reports more than the usual rent of a nonce account', async () => {
  const body = { kind: 'CreateSolanaNonceAccounts' } as const;
  const asking = async (rentUnits: bigint) => {
    const lying: Services['readers'] = (network) => {
      const reader = services.readers(network);
      return reader.family === 'solana' ? { ...reader, rentUnits: async () => rentUnits } : reader;
    };
    return requestTransaction({ ...services, readers: lying }, await actor.authority(), walletId, body);
  };
  await expect(asking(1_447_681n)).rejects.toMatchObject({
    details: { issues: [{ path: 'body.count', message: expect.stringContaining('1447681') }] },
  });
  expect(await asking(1_447_680n)).toMatchObject({ assetKind: 'Call', toAddress: owner.address, amountUnits: '0' });
});
