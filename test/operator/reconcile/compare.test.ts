import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { base58 } from '@scure/base';
import { utxoCodecOf } from '../../../chains/codecs';
import { createReaders } from '../../../chains/readers';
import { withAllRows } from '../../../entities/backup/all-rows';
import { OfflineRequestEntity } from '../../../entities/fleets/offline-request.entity';
import { coinClaim } from '../../../entities/outgoing/coin.store';
import { laneStore } from '../../../entities/outgoing/lane.store';
import { PayloadEntity } from '../../../entities/outgoing/payload.entity';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { compare } from '../../../operator/reconcile/compare';
import { readLog } from '../../../operator/reconcile/signed';
import { newId } from '../../../platform/ids';
import { createFileKek } from '../../../signer/keys/kek';
import { openJournal } from '../../../signer/record/journal/open-journal';
import { createSigningLog } from '../../../signer/record/signing-log';
import { byMethod, refusal, result, startFakeNode, text } from '../../chains/rpc/fake-node';
import { startBank, type TestBank } from '../../local/solana/bank';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { advanceOf, createSolanaSteps, type SolanaSteps } from '../../support/solana-steps';

const COINS = 'BitcoinSignet';
const ADDRESS = utxoCodecOf(COINS).addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5');
const SCRIPT = utxoCodecOf(COINS).scriptOf(ADDRESS);
const [PAST, REST, STOLEN] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];
const word = (hex: string) => `0x${hex}`;

type Logged = {
  readonly requestId: string;
  readonly claims?: readonly string[];
  readonly signature?: string;
  readonly replaces?: string;
  /** The signer has released the request to a device. With `Recorded`, it has also recorded the signature of the device. */
  readonly offline?: 'Vouched' | 'Recorded';
};

let database: TestDatabase;
let bank: TestBank;
let node: Awaited<ReturnType<typeof startFakeNode>>;
let steps: SolanaSteps;

beforeAll(async () => {
  bank = await startBank();
});
afterAll(() => bank?.close());
beforeEach(async () => {
  database = await createTestDatabase();
  steps = await createSolanaSteps(database.db, await database.createOrganization(), bank);
  node = await startFakeNode(coinNode());
});
afterEach(async () => {
  await Promise.all([database?.close(), node?.stop()]);
});

/** A node that reports three confirmed coins of the address. Two of the coins are spent. */
const coinNode = () => {
  const whole = (txid: string) => ({ txid, hex: txid, confirmations: 6 });
  return byMethod({
    decodescript: result({ address: 'node-form' }),
    getaddressinfo: result({ labels: ['strongroom'] }),
    listreceivedbyaddress: (question, response) =>
      // Dogecoin's method takes no filter and lists every watched address.
      (question.params.length > 3
        ? refusal(-1, 'listreceivedbyaddress ( minconf includeempty includeWatchonly)')
        : result([
            { address: 'node-form', txids: [PAST, REST, STOLEN] },
            { address: 'another', txids: ['9'.repeat(64)] },
          ]))(question, response),
    gettransaction: (question, response) => result(whole(String(question.params[0])))(question, response),
    decoderawtransaction: result({
      vout: [
        { n: 0, scriptPubKey: { hex: '51' } },
        { n: 1, scriptPubKey: { hex: SCRIPT } },
      ],
    }),
    gettxout: (question, response) =>
      result(question.params[0] === REST ? { value: 1, confirmations: 6, coinbase: false, scriptPubKey: { hex: SCRIPT } } : null)(
        question,
        response,
      ),
  });
};
const coin = (txid: string) => `utxo ${COINS} ${txid}:1`;

async function addWallet(network: 'SolanaDevnet' | typeof COINS, address: string): Promise<void> {
  const { keyId, requesterUserId: createdBy } = await steps.grounds();
  const row = {
    orgId: steps.orgId,
    id: newId('wallet'),
    network,
    keyId,
    address,
    status: 'Active',
    requestDigest: 'd',
    createdBy,
  };
  await database.db.withOrg(steps.orgId, (tx) => tx.insert(WalletEntity, { ...row, status: 'Active' }));
}

/** A log that the signer's code writes and the operator's code reads. */
async function logged(entries: readonly Logged[]) {
  const stateDir = mkdtempSync(join(tmpdir(), 'reconcile-'));
  const onBroken = (cause: Error) => {
    throw cause;
  };
  const journal = await openJournal({ stateDir, kek: createFileKek(Buffer.alloc(32, 1)), onBroken });
  const log = createSigningLog(journal);
  for (const [
    index,
    { requestId, claims, offline, replaces, signature = base58.encode(Buffer.alloc(64, index + 1)) },
  ] of entries.entries()) {
    const hex = Buffer.from(base58.decode(signature)).toString('hex');
    const digest = String(index + 1)
      .repeat(64)
      .slice(0, 64);
    const signed = { requestId, orgId: steps.orgId, keyId: 'k', intentDigest: digest, payloadDigest: digest };
    const signatures = [{ r: word(hex.slice(0, 64)), s: word(hex.slice(64)) }];
    const moment = { storeId: 'vault', orderDigest: digest, dateVouched: new Date(0).toISOString(), messages: [digest] };
    const vouched = offline === undefined ? {} : { vouched: moment };
    const result = { digestHex: word(digest), signatures: offline === undefined ? signatures : [] };
    await log.record(
      { ...signed, ...(claims ? { claims: [...claims] } : {}), ...(replaces === undefined ? {} : { replaces }), ...vouched },
      () => result,
    );
    if (offline === 'Recorded') await log.recordMade({ orgId: steps.orgId, requestId, keyId: 'k', signatures });
  }
  await journal.close();
  return readLog(stateDir);
}

async function compared(...entries: readonly Logged[]) {
  const readers = createReaders({ SolanaDevnet: [bank.url], [COINS]: [node.url] });
  const log = await logged(entries);
  const told = await withAllRows(database.ownerUrl, (rows) => compare(rows, log, readers));
  // The steps also have wallets on EthereumSepolia, for which this test has no node.
  const ours = told.findings.filter(({ kind, claim }) => kind !== 'ChainSilent' || !claim?.startsWith('EthereumSepolia'));
  return ours;
}
const findings = async (...entries: readonly Logged[]) =>
  (await compared(...entries)).map(({ kind, claim, chain, requestId }) => ({ kind, claim, chain, requestId }));
/** The findings about requests. */
const signers = async (...entries: readonly Logged[]) =>
  (await compared(...entries)).flatMap(({ kind, by, chain, requestId }) => (requestId === null ? [] : [[kind, by, chain]]));

/** The service waits for the device, or has received its signature. */
async function atDevice(requestId: string, signature?: string): Promise<void> {
  const { keyId } = await steps.grounds();
  const row = { requestId, op: 'signTransfer', keyId, storeId: 'vault', contentDigest: 'c' };
  const hex = signature === undefined ? '' : Buffer.from(base58.decode(signature)).toString('hex');
  const signatures = hex === '' ? null : [{ r: word(hex.slice(0, 64)), s: word(hex.slice(64)) }];
  const carried = { groupId: 'fg-1', vouchedOrder: '{}', digestHex: '0x', messages: ['0x'] };
  const brought = { signatures, dateSigned: signatures && new Date() };
  await database.db.withOrg(steps.orgId, (tx) =>
    tx.insert(OfflineRequestEntity, { orgId: steps.orgId, ...row, ...carried, ...brought }),
  );
}
const signatureOf = async (id: string) => {
  const { rawHex } = await steps.payload(id);
  return base58.encode(Buffer.from(rawHex?.slice(4, 4 + 128) ?? '', 'hex'));
};

describe('Solana', () => {
  const sent = async () => {
    const requestId = await steps.transfer();
    await steps.send(requestId);
    bank.call('strongroom_advanceSlots', 8);
    return { requestId, signature: await signatureOf(requestId) };
  };
  beforeEach(() => addWallet('SolanaDevnet', steps.wallet.address));

  test('rows, log and chain agree on the sent transactions, however much others pay to the wallet', async () => {
    const one = await sent();
    bank.call('requestAirdrop', steps.wallet.address, 5_000_000);
    bank.call('strongroom_advanceSlots', 8);
    expect(await findings(one)).toEqual([]);
  });

  test('a transaction that the key signed elsewhere is a finding with the sender address in the form of the family', async () => {
    await steps.makeNonces(1);
    const told = await findings(await sent());
    expect(told).toEqual([
      {
        kind: 'ForeignSignature',
        claim: expect.stringContaining(`SolanaDevnet ${steps.wallet.address} `),
        chain: 'Used',
        requestId: null,
      },
    ]);
  });

  test('a forgotten transaction is Used if a block contains it, and Open if no block does', async () => {
    const { requestId, signature } = await sent();
    const forgotten = newId('transfer');
    const told = await findings({ requestId, signature }, { requestId: forgotten, signature }, { requestId: newId('transfer') });
    expect(told.map(({ kind, chain }) => [kind, chain])).toEqual([
      ['Forgotten', 'Used'],
      ['Forgotten', 'Open'],
    ]);
  });

  test('a signature of a device that the signer has recorded explains the transaction, even without rows', async () => {
    await steps.makeNonces(1);
    bank.call('strongroom_advanceSlots', 8);
    const [unknown] = await findings();
    const signature = unknown?.claim?.split(' ').at(-1) ?? '';
    const forgotten = newId('transfer');
    const told = await compared({ requestId: forgotten, signature, offline: 'Recorded' });
    expect(told.map(({ kind, by, chain }) => [kind, by, chain])).toEqual([['Forgotten', 'Recorded', 'Used']]);
    expect((await compared({ requestId: forgotten, offline: 'Vouched' })).map(({ kind }) => kind)).toEqual([
      'Forgotten',
      'ForeignSignature',
    ]);
  });

  test('signed bytes of a device are a finding if the log lacks the signature: the log is older than the rows', async () => {
    const { requestId, signature } = await sent();
    await atDevice(requestId, signature);
    expect(await signers({ requestId, signature, offline: 'Recorded' })).toEqual([]);
    expect(await signers({ requestId, offline: 'Vouched' })).toEqual([['NotLogged', 'AtDevice', 'Unknown']]);
  });

  test('a durable nonce that only a vouch explains is a finding once it is advanced', async () => {
    const [nonce] = await steps.makeNonces(1);
    const claims = [`SolanaDevnet durable ${nonce?.account} ${nonce?.value}`];
    const requestId = await steps.transfer({ state: 'Signing' });
    await atDevice(requestId);
    expect(await signers({ requestId, claims, offline: 'Vouched' })).toEqual([]);
    await steps.sendBehindOurBack(await advanceOf(steps));
    bank.call('strongroom_advanceSlots', 8);
    expect(await signers({ requestId, claims, offline: 'Vouched' })).toEqual([['Unreturned', 'Vouched', 'Used']]);
    const by = { requestId: newId('signature'), claims, replaces: requestId };
    expect(await signers({ requestId, claims, offline: 'Vouched' }, by)).toEqual([['Forgotten', 'Signer', 'Used']]);
  });

  test('a durable nonce is Open until it is advanced, and a message is Unknown to the chain', async () => {
    const [nonce] = await steps.makeNonces(1);
    const claims = [`SolanaDevnet durable ${nonce?.account} ${nonce?.value}`];
    const chainOf = async () =>
      (await findings({ requestId: newId('transfer'), claims }, { requestId: newId('signature') }))
        .filter(({ kind }) => kind === 'Forgotten')
        .map(({ chain }) => chain);
    expect(await chainOf()).toEqual(['Open', 'Unknown']);
    await steps.sendBehindOurBack(await advanceOf(steps));
    bank.call('strongroom_advanceSlots', 8);
    expect(await chainOf()).toEqual(['Used', 'Unknown']);
  });
});

describe('networks of the Bitcoin family', () => {
  beforeEach(() => addWallet(COINS, ADDRESS));

  test('a coin that was spent without a record is a finding; unspent coins and coins of signatures are not', async () => {
    const told = await findings({ requestId: newId('transfer'), claims: [coin(PAST)] });
    expect(told.map(({ kind, claim, chain }) => [kind, claim, chain])).toEqual([
      ['Forgotten', coin(PAST), 'Used'],
      ['ForeignSpend', `${coin(STOLEN)} of ${ADDRESS}`, 'Used'],
    ]);
    expect(await findings({ requestId: newId('transfer'), claims: [coin(PAST), coin(STOLEN)] })).toEqual([
      expect.objectContaining({ kind: 'Forgotten', claim: `${coin(PAST)}, ${coin(STOLEN)}` }),
    ]);
  });

  test('a signature over coins that are all unspent is open', async () => {
    const [first] = await findings({ requestId: newId('transfer'), claims: [coin(REST)] });
    expect(first).toMatchObject({ kind: 'Forgotten', chain: 'Open' });
  });

  test('a coin that a device was asked to spend is a finding once it is spent, unless another request has spent it', async () => {
    const requestId = await steps.transfer({ network: COINS, fromAddress: ADDRESS, toAddress: ADDRESS, state: 'Signing' });
    await atDevice(requestId);
    const open = { requestId, claims: [coin(REST)], offline: 'Vouched' } as const;
    expect(await signers(open)).toEqual([]);
    const spent = { ...open, claims: [coin(REST), coin(STOLEN)] };
    expect(await signers(spent)).toEqual([['Unreturned', 'Vouched', 'Used']]);
    const taken = { claims: [coin(STOLEN)], replaces: requestId, offline: 'Recorded' } as const;
    const replacement = { requestId: newId('transfer'), ...taken };
    expect(await signers(spent, replacement)).toEqual([['Forgotten', 'Recorded', 'Used']]);
  });

  test('a request at a device that ended because another one used its coins is no finding; one that ended otherwise is', async () => {
    const requestId = await steps.transfer({ network: COINS, fromAddress: ADDRESS, toAddress: ADDRESS, state: 'Failed' });
    const built = { unsignedHex: '0x', digestHex: '0x', rawHex: null, txHash: null, maxFeeUnits: '1', nonce: null };
    const payload = {
      orgId: steps.orgId,
      id: newId('payload'),
      transferId: requestId,
      network: COINS,
      fromAddress: ADDRESS,
    } as const;
    await database.db.withOrg(steps.orgId, (tx) => tx.insert(PayloadEntity, { ...payload, ...built, state: 'Built' }));
    const entry = { requestId, claims: [coin(REST)], offline: 'Vouched' } as const;
    expect(await signers(entry)).toEqual([['Behind', 'Vouched', 'Open']]);
    await database.db.withOrg(steps.orgId, (tx) => tx.set(PayloadEntity, { id: payload.id }, { state: 'Replaced' }));
    expect(await signers(entry)).toEqual([]);
    expect(await signers({ requestId, claims: [coin(REST)] })).toEqual([['Behind', 'Signer', 'Open']]);
  });

  test('coins that rows mark as spent without a log entry are findings', async () => {
    const transferId = await steps.transfer({ network: COINS, fromAddress: ADDRESS, toAddress: ADDRESS, state: 'Broadcasted' });
    const sent = { unsignedHex: '0x', digestHex: '0x', rawHex: '00', txHash: STOLEN, maxFeeUnits: '1', nonce: null };
    const payload = { orgId: steps.orgId, id: newId('payload'), transferId, network: COINS, fromAddress: ADDRESS } as const;
    await database.db.withOrg(steps.orgId, async (tx) => {
      await tx.insert(PayloadEntity, { ...payload, ...sent, state: 'Broadcasted' });
      for (const txid of [PAST, STOLEN])
        await laneStore.claim(tx, { id: transferId, network: COINS }, coinClaim(ADDRESS, { txid, vout: 1 }));
    });
    expect(await findings()).toEqual([
      { kind: 'NotLogged', claim: `${coin(PAST)}, ${coin(STOLEN)}`, chain: 'Used', requestId: transferId },
    ]);
  });

  test('a node without an answer is reported as silent about each sender address', async () => {
    node.behave(text(503, ''));
    expect(await findings()).toEqual([{ kind: 'ChainSilent', claim: `${COINS} ${ADDRESS}`, chain: 'Unknown', requestId: null }]);
  });
});
