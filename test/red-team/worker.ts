import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { evidenceOf } from '../../activities/signatures/order-evidence';
import { evmCodecOf } from '../../chains/codecs';
import { openStrongroomDatabase } from '../../entities/data-source';
import type { Database } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { createSecretBox, type SecretBox } from '../../platform/secret-box';
import { createSignerClient } from '../../signer/client';
import type { SignerClient, SignTransferOrder } from '../../signer/protocol';
import { ok } from '../support/story';
import { environmentOfProcess } from './api-process';
import { blindActions } from './blind-actions';
import { createChartering } from './chartering';
import { DATABASE_OPENINGS } from './database-openings';
import type { Scene } from './database-role';
import type { Office } from './installation';
import { AMOUNT, type Asked } from './ledger';
import { createRows } from './rows';

const NETWORK = 'EthereumSepolia';
const MINUTE_MS = 60_000;
const refused = (reason: string) => ({ code: 'SignerRefused', details: expect.objectContaining({ reason }) });

/** An attacker in the worker has the signer's socket and frame key, the database and the data key. A charter is in force. */
export function workerProcess({ installation, ledger }: Scene): void {
  let office: Office;
  let chartering: ReturnType<typeof createChartering>;
  let db: Database;
  let box: SecretBox;
  let signer: SignerClient;
  let count = 0;
  beforeAll(async () => {
    chartering = createChartering(installation());
    office = await chartering.chartered(await installation().createOffice('kilo'));
    const env = environmentOfProcess(installation().service.pid(), 'worker/main.js');
    const keyIn = (file: string | undefined) => Buffer.from(readFileSync(file ?? '', 'utf8').trim(), 'hex');
    box = createSecretBox(keyIn(env['DATA_KEK_FILE']), 'user-actions');
    const { ports, passwords } = installation();
    const url = `postgres://strongroom_worker:${passwords['worker']}@127.0.0.1:${ports.postgres}/strongroom`;
    db = await openStrongroomDatabase({ url, poolMax: 2, applicationName: 'thief' });
    const authKey = keyIn(env['SIGNER_AUTH_FILE']);
    signer = createSignerClient({ place: { path: env['SIGNER_SOCKET'] ?? '' }, authKey, timeoutMs: 10_000 });
  });
  afterAll(async () => {
    chartering?.close();
    await signer?.close();
    await db?.close();
  });

  type Content = { readonly to?: string; readonly nonce?: number; readonly amountUnits?: bigint };
  /** An order for a payment to the thief, with all the evidence of the request that the database contains. */
  const orderLike = async ({ id, wallet }: Asked, { to = ledger.thief, nonce = 0, amountUnits = AMOUNT }: Content = {}) => {
    const reader = db.read(office.orgId);
    const row = await outgoingStore.find(reader, id);
    if (!row?.userActionId) throw new Error('a person asked for the transfer');
    const material = await keyStore.materialOfWallet(reader, wallet.id);
    const intent = { network: NETWORK, from: row.fromAddress, to, amountUnits, asset: { kind: 'Native' } } as const;
    const fees = { gas: 21_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    const now = Date.now();
    return {
      ...{ requestId: id, orgId: office.orgId, keyId: material.sealed.keyId, network: NETWORK, chainId: 11_155_111 },
      intent: { from: intent.from, to, amountUnits: amountUnits.toString(), asset: intent.asset },
      ...{ nonce, feeCeilingUnits: row.feeCeilingUnits, bytesHex: evmCodecOf(NETWORK).build(intent, nonce, fees).bytesHex },
      ...material,
      evidence: await evidenceOf(reader, box, { userActionId: row.userActionId, approvalId: row.approvalId }),
      attested: { amountUsdMicro: '0' },
      ...{ issuedAt: new Date(now).toISOString(), notAfter: new Date(now + MINUTE_MS).toISOString() },
    } satisfies SignTransferOrder;
  };

  test('requested and approved payments are carried out', async () => {
    const free = await office.wallet('free');
    const wallet = await office.wallet();
    const paid = await ledger.ask(office.ada, free);
    await ledger.confirm(office.ada, paid);
    await ledger.approve(office, await ledger.ask(office.ada, wallet));
    const message = { kind: 'Message', message: '0x48656c6c6f' };
    const signed = await office.ada.client.change('POST', `/keys/${free.keyId}/signatures`, message);
    expect(signed).toMatchObject({ status: 200, body: { status: 'Signed' } });
  });

  test('a request that was paid is not paid again, and never pays the thief', async () => {
    const wallet = await office.wallet('free');
    const asked = await ledger.ask(office.ada, wallet);
    await ledger.confirm(office.ada, asked);
    const honest = { to: ledger.friend, nonce: 1 };
    const again = await orderLike(asked, honest);
    await expect(signer.signTransfer(again)).rejects.toMatchObject(refused('RequestIdReused'));
    const other = { requestId: 'xfr-00000-00000-0000000000000001' };
    await expect(signer.signTransfer({ ...again, ...other })).rejects.toMatchObject(refused('ActionUsed'));
    await expect(signer.signTransfer({ ...(await orderLike(asked, { nonce: 1 })), ...other })).rejects.toMatchObject(
      refused('RequestMismatch'),
    );
    const replacing = { ...(await orderLike(asked)), ...other, replaces: asked.id, evidence: [] };
    await expect(signer.signTransfer(replacing)).rejects.toMatchObject(refused('InitiatorMissing'));
  });

  test('a held request does not pay before the votes, and never pays the thief', async () => {
    const wallet = await office.wallet();
    const asked = await ledger.ask(office.ada, wallet);
    const honest = async () => orderLike(asked, { to: ledger.friend });
    await expect(signer.signTransfer(await honest())).rejects.toMatchObject(refused('VotesMissing'));
    ok(await office.decide(office.ben, asked.approvalId));
    await expect(signer.signTransfer(await honest())).rejects.toMatchObject(refused('VotesMissing'));
    const { evidence, ...bare } = await honest();
    await expect(signer.signTransfer({ ...bare, evidence: [] })).rejects.toMatchObject(refused('InitiatorMissing'));
    await expect(signer.signTransfer({ ...bare, evidence: evidence.slice(0, 1) })).rejects.toMatchObject(
      refused('ApprovalMissing'),
    );
    const [initiator, approval, ben] = evidence;
    const votes = evidence.filter(({ kind }) => kind === 'Approver');
    expect(votes).toHaveLength(1);
    const twice = { ...bare, evidence: [initiator, approval, ben, ben].flatMap((one) => one ?? []) };
    await expect(signer.signTransfer(twice)).rejects.toMatchObject(refused('VotesMissing'));
    await expect(signer.signTransfer(await orderLike(asked))).rejects.toMatchObject(refused('RequestMismatch'));
    ok(await office.decide(office.cyd, asked.approvalId));
    await ledger.confirm(office.ada, asked);
  });

  test('evidence with the attacker’s key instead of the person’s key is refused', async () => {
    const wallet = await office.wallet('free');
    const asked = await ledger.ask(office.ada, wallet);
    await ledger.confirm(office.ada, asked);
    const { evidence, ...bare } = await orderLike(asked, { nonce: 1 });
    const { key } = await createRows(installation(), 'app', office.orgId).credential(office.ada);
    const [initiator] = evidence;
    if (initiator?.kind !== 'Initiator') throw new Error('a person asked for the transfer');
    const body = JSON.stringify({ kind: 'Native', to: ledger.thief, amount: AMOUNT.toString() });
    const forged = {
      ...initiator,
      body,
      bodySha256: createHash('sha256').update(body).digest('hex'),
      publicKey: key.publicKeyPem,
    };
    await expect(
      signer.signTransfer({ ...bare, requestId: 'xfr-00000-00000-0000000000000002', evidence: [forged] }),
    ).rejects.toMatchObject(refused('ActionMismatch'));
  });

  test('no key leaves the signer, no different content is signed, and no freeze ends', async () => {
    const wallet = await office.wallet('free');
    const asked = await ledger.ask(office.ada, wallet);
    await ledger.confirm(office.ada, asked);
    const {
      requestId: _id,
      evidence,
      bytesHex,
      intent: _intent,
      network: _network,
      chainId: _chain,
      nonce: _nonce,
      feeCeilingUnits: _fee,
      ...common
    } = await orderLike(asked, { nonce: 1 });
    const requestId = 'sig-00000-00000-0000000000000001';
    const recipientKey = randomBytes(32).toString('base64');
    await expect(signer.exportKey({ ...without(common), requestId, recipientKey })).rejects.toMatchObject(
      refused('ExportSwitchedOff'),
    );
    await expect(signer.deriveShared({ ...without(common), requestId, domainHex: '0x00', seedHex: '0x' })).rejects.toMatchObject(
      refused('InitiatorMissing'),
    );
    for (const payload of [
      { kind: 'Eip191', messageHex: '0x00' },
      { kind: 'EvmTransaction', bytesHex },
    ] as const) {
      const order = { ...common, requestId, payload, policyEpoch: 0 };
      await expect(signer.signPayload({ ...order, evidence: [] })).rejects.toMatchObject(refused('InitiatorMissing'));
      await expect(signer.signPayload({ ...order, evidence })).rejects.toMatchObject(refused('RequestMismatch'));
    }
    const freeze = {
      orgId: office.orgId,
      freezeId: 'frz-00000-00000-0000000000000001',
      issuedAt: common.issuedAt,
      notAfter: common.notAfter,
    };
    await expect(signer.releaseFreeze({ ...freeze, evidence })).rejects.toMatchObject(refused('RequestMismatch'));
  });

  describe('with the challenges of people who do not read them', () =>
    blindActions(() => ({
      ...{ office, signer, db },
      newOrder: async () => {
        const { id: walletId, address, keyId } = await office.wallet('free');
        const material = await keyStore.materialOfWallet(db.read(office.orgId), walletId);
        const intent = {
          network: NETWORK,
          from: address,
          to: ledger.thief,
          amountUnits: AMOUNT,
          asset: { kind: 'Native' },
        } as const;
        const fees = { gas: 21_000n, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
        const now = Date.now();
        count += 1;
        const order = {
          ...{ requestId: `xfr-00000-blind-${String(count).padStart(16, '0')}`, orgId: office.orgId, keyId, network: NETWORK },
          ...{ chainId: 11_155_111, nonce: 0, feeCeilingUnits: '42000000000000', ...material },
          intent: { from: address, to: ledger.thief, amountUnits: AMOUNT.toString(), asset: intent.asset },
          bytesHex: evmCodecOf(NETWORK).build(intent, 0, fees).bytesHex,
          attested: { amountUsdMicro: '0' },
          ...{ issuedAt: new Date(now).toISOString(), notAfter: new Date(now + MINUTE_MS).toISOString() },
        } satisfies SignTransferOrder;
        return { walletId, order };
      },
    })));

  const NOT_AT_THE_SIGNER = [
    'change the settings of an organisation',
    'grant permissions, and reactivate deactivated users',
    'insert a verdict, which lets a request pass the policies once without approval',
  ];
  const openings = DATABASE_OPENINGS.filter(({ named }) => !NOT_AT_THE_SIGNER.includes(named));
  test.each(openings)('the signer prevents what the database permits: $named', async ({ leaves, show }) => {
    const goesThrough: typeof ledger.goesThrough = async (by, _wallet, pay) => {
      const answered = await pay(ledger.thief);
      expect(await ledger.end(by, answered)).toMatchObject({
        status: 'Failed',
        reason: expect.stringMatching(/^The signer refused the order: (ApprovalMissing|AssertionInvalid|VotesMissing)$/),
      });
    };
    const role = createRows(installation(), leaves === 'ARow' ? 'app' : 'worker', office.orgId);
    await show({ installation: installation(), ledger: { ...ledger, goesThrough }, office, rows: role });
  });
}

const without = <T extends { readonly attested: unknown }>({ attested: _attested, ...rest }: T): Omit<T, 'attested'> => rest;
