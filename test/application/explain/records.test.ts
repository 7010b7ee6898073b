import { explainApproval, explainSignature, explainTransfer } from '../../../application/explain/records';
import { APPROVAL_STATUSES } from '../../../domain/approvals';
import { CHANGE_STATUSES } from '../../../domain/change-requests';
import { SIGNATURE_STATES, type SignatureState } from '../../../domain/signatures';
import { TRANSFER_STATES, type TransferState } from '../../../domain/transfers';
import { TRAVEL_RULE_STATES, type TravelRuleState } from '../../../domain/travel-rules';
import { BLOCKERS, type Blocker, STAGES, type Stage } from '../../../domain/waiting-stages';
import { changeRequestStore } from '../../../entities/change-requests/change-request.store';
import { feeSponsorStore } from '../../../entities/fee-sponsors/fee-sponsor.store';
import { fleetGroupStore } from '../../../entities/fleets/fleet-group.store';
import { OfflineRequestEntity } from '../../../entities/fleets/offline-request.entity';
import { offlineRequestStore } from '../../../entities/fleets/offline-request.store';
import { freezeRecordStore } from '../../../entities/freezes/freeze-record.store';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { keyStore } from '../../../entities/keys/key.store';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { verdictStore } from '../../../entities/policies/verdict.store';
import { ScreeningEntity } from '../../../entities/screenings/screening.entity';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { TravelRuleMessageEntity } from '../../../entities/travel-rules/travel-rule-message.entity';
import { newId } from '../../../platform/ids';
import { createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertTransferOf } from '../../support/explained';
import { addGroup } from '../../support/fleet-rows';
import { holdTransfer, insertPolicy, insertWallet } from '../../support/held-activity';
import { askFor } from '../../support/policies';

let database: TestDatabase;
let orgId: string;
let walletId: string;
let userId: string;
let userActionId: string;
const seen = new Set<Stage>();
beforeAll(async () => {
  database = await createTestDatabase();
  orgId = await database.createOrganization();
  walletId = await insertWallet(database.db, orgId);
  const actor = await createActor(database.db, orgId);
  userId = actor.caller.userId;
  userActionId = (await actor.authority()).action?.id ?? '';
  await insertPolicy(database.db, orgId, { action: askFor([{ name: 'Finance', quorum: 1, approvers: {} }]) });
});
afterAll(() => database?.close());

const held = () => holdTransfer(database.db, orgId, { activityId: newId('transfer'), walletId, initiatorId: userId });
const transfer = async (set: Partial<OutgoingEntity> = {}) =>
  insertTransferOf(database.db, orgId, (await held()).approvalId, { policyEpoch: 1, ...set });
const told = async (row: OutgoingEntity) => {
  const explanation = await explainTransfer(database.db.read(orgId), row);
  seen.add(explanation.stage);
  expect(explanation.summary).toMatch(/^(The transfer|The last attempt|People have decided) .+\.$/);
  expect(explanation.sentences[0]).toBe(explanation.summary);
  return explanation;
};
const hindrance = (kind: Blocker['kind'], version = 1, detail: string | null = null): Partial<OutgoingEntity> => ({
  hindrance: { kind, version, since: '2026-11-22T12:00:00.000Z', detail },
});

const OF_TRANSFER: Readonly<Record<TransferState, Stage>> = {
  Requested: 'Judging',
  AwaitingApproval: 'Approval',
  Approved: 'Preparing',
  Signing: 'Signing',
  Signed: 'Broadcasting',
  Broadcasted: 'Confirming',
  Confirmed: 'Ended',
  Failed: 'Ended',
  Rejected: 'Ended',
};
test.each(TRANSFER_STATES)('the explanation of a transfer in %s shows the stage in which the transfer waits', async (state) => {
  expect((await told(await transfer({ state }))).stage).toBe(OF_TRANSFER[state]);
});

test('a transfer equal to another transfer waits for a confirmation until the time limit', async () => {
  const equal = { equalToId: newId('transfer'), equalUntil: new Date('2026-11-22T13:00:00Z'), equalConfirmed: null };
  const waits = await told({ ...(await transfer({ state: 'Requested' })), ...equal });
  expect(waits).toMatchObject({
    stage: 'EqualPayment',
    until: { date: '2026-11-22T13:00:00.000Z', outcome: 'the transfer fails automatically' },
    equalPayment: { requestId: equal.equalToId },
  });
  const confirmed = { ...equal, equalConfirmed: new Date() };
  expect((await told({ ...(await transfer({ state: 'Requested' })), ...confirmed })).stage).toBe('Judging');
});

test('the explanation of a competing transfer names the other transfer, the kind of replacement and a requested abort', async () => {
  const row = await transfer({ state: 'Signing' });
  expect((await told(row)).replacement).toBeNull();
  const [first, second] = [newId('transfer'), newId('transaction')];
  const cancels = await told({ ...row, replacementKind: 'Cancel', replacesId: first });
  expect(cancels.replacement).toEqual({ kind: 'Cancel', takesPlaceOf: first, replacedBy: null, isAborting: false });
  expect(cancels.sentences.join(' ')).toContain(`replaces ${first}: it uses up its nonce or coins and pays no one`);
  const aborting = await told({ ...row, replacedById: second, abortAsked: new Date() });
  expect(aborting.replacement).toEqual({ kind: null, takesPlaceOf: null, replacedBy: second, isAborting: true });
  expect(aborting.sentences.join(' ')).toMatch(new RegExp(`${second} was made to replace it.*never to sign it`));
  const aborted = { ...row, abortAsked: new Date(), state: 'Failed' as const, reason: 'Aborted on request' };
  expect(await told(aborted)).toMatchObject({
    replacement: null,
    summary: 'The transfer has ended: Failed (Aborted on request).',
  });
});

test('the explanation of a transfer at an offline store shows since when the transfer waits for the device', async () => {
  const row = await transfer({ state: 'Signing' });
  await database.db.withOrg(orgId, async (tx) => {
    const key = await keyStore.ofWallet(tx, walletId);
    const asked = { op: 'signTransfer', storeId: 'ks-1', contentDigest: '00' };
    await offlineRequestStore.wait(tx, { requestId: row.id, keyId: key?.id ?? '', ...asked });
  });
  const { dateCreated } = (await offlineRequestStore.find(database.db.read(orgId), row.id)) ?? {};
  const offline = { storeId: 'ks-1', group: null };
  const waits = await told(row);
  expect(waits).toMatchObject({ stage: 'OfflineSigning', since: dateCreated?.toISOString(), offline });
  expect(waits.summary).toBe('The transfer waits for the next group that carries it to an offline device.');
  const made = await addGroup(database.db, await createActor(database.db, orgId), 'ks-1');
  const group = await fleetGroupStore.find(database.db.read(orgId), made.id);
  if (!group) throw new Error('the group was added');
  const carried = { groupId: group.id, vouchedOrder: '{}', digestHex: '0x00', messages: [] };
  await database.db.withOrg(orgId, (tx) => tx.update(OfflineRequestEntity, { requestId: row.id }, carried));
  const { summary, sentences, ...rest } = await told(row);
  const by = { userId: group.createdBy, name: expect.any(String) };
  expect(rest.offline).toEqual({ storeId: 'ks-1', group: { groupId: group.id, since: group.dateCreated.toISOString(), by } });
  expect(summary).toBe(`The transfer is on its way to an offline device, in the group ${group.id}.`);
  expect(sentences.join(' ')).toContain('made the group at');
  expect((await told({ ...row, ...hindrance('SignerUnavailable') })).stage).toBe('SignerUnavailable');
  expect((await told({ ...row, state: 'Signed' })).stage).toBe('Broadcasting');
});

test('an approved transfer that has not been judged since is in the stage Judging', async () => {
  expect((await told(await transfer({ state: 'Approved', policyEpoch: null }))).stage).toBe('Judging');
});

test.each(BLOCKERS)('%s is shown only while the transfer has the version at which the blocker was recorded', async (kind) => {
  const states: Partial<Record<typeof kind, TransferState>> = { SignerUnavailable: 'Signing', NetworkUnavailable: 'Signed' };
  const state = states[kind] ?? 'Approved';
  const kept = await told(await transfer({ state, ...hindrance(kind) }));
  expect(kept).toMatchObject({ stage: kind, since: '2026-11-22T12:00:00.000Z', hindrance: { kind } });
  const moved = await told(await transfer({ state, ...hindrance(kind, 0) }));
  expect(moved).toMatchObject({ stage: OF_TRANSFER[state], hindrance: null });
});

test.each([
  ['Turn', 'earlier transfers of the wallet'],
  ['Funds', 'funds that earlier transfers of the wallet may still spend'],
  ['EarlierNonces', 'transactions with earlier nonces'],
])(
  'the summary states that a transfer waits for its turn in the lane (the queue of its sender) because of %s',
  async (detail, words) => {
    const { summary } = await told(await transfer({ state: 'Approved', ...hindrance('LaneTurn', 1, detail) }));
    expect(summary).toBe(`The transfer waits for ${words}.`);
  },
);

test('the summary states that an amount is not encrypted yet and that the encrypting service is asked again', async () => {
  const { summary } = await told(await transfer({ state: 'Approved', ...hindrance('Retrying', 1, 'EncryptionUnavailable') }));
  expect(summary).toMatch(/^The transfer waits for its amount to be encrypted: the encryption service .+ is asked again\.$/);
});

test.each(['Requested', 'Approved', 'Signing', 'Signed'] as const)(
  'a frozen transfer in %s is in the stage Frozen, and the explanation names the user who froze it',
  async (state) => {
    const row = await transfer({ state });
    const freezeId = newId('freeze');
    await database.db.withOrg(orgId, async (tx) => {
      const target = { targetKind: 'Wallet' as const, targetId: newId('wallet'), reason: 'the laptop is gone' };
      await freezeRecordStore.add(tx, { id: freezeId, ...target, createdBy: userId, userActionId });
      await freezeRecordStore.addWaiting(tx, freezeId, row.id);
    });
    expect(await told(row)).toMatchObject({
      stage: 'Frozen',
      freeze: { freezeId, by: { userId }, reason: 'the laptop is gone' },
    });
  },
);

test('a transfer is in the stage Screening until the vendor has answered', async () => {
  const row = await transfer({ state: 'Requested' });
  const id = newId('screening');
  await database.db.withOrg(orgId, async (tx) => {
    const question = {
      direction: 'Sent',
      network: 'x',
      contract: null,
      amountUnits: '1',
      from: null,
      to: ['x'],
      userId: 'x',
    } as const;
    await tx.insert(ScreeningEntity, {
      orgId,
      id,
      activityId: row.id,
      vendor: 'KytA',
      attempt: 1,
      question,
      dateAsked: await tx.clock(),
    });
  });
  expect(await told(row)).toMatchObject({ stage: 'Screening', summary: 'The transfer waits for an answer from KytA.' });
  await database.db.withOrg(orgId, async (tx) => {
    await tx.update(ScreeningEntity, { id }, { result: { kind: 'Unscreenable' }, dateAnswered: await tx.clock() });
  });
  expect(await told(row)).toMatchObject({ stage: 'Judging', screenings: [{ result: 'Unscreenable' }] });
});

const OPEN: readonly TravelRuleState[] = ['Requested', 'Submitted', 'Delivered'];
test.each(TRAVEL_RULE_STATES)(
  'a transfer with a travel rule message in %s waits for the message only while the message is open',
  async (state) => {
    const row = await transfer({ state: 'Requested' });
    await database.db.withOrg(orgId, async (tx) => {
      const now = await tx.clock();
      const later = new Date(now.getTime() + 1);
      const dates = state === 'Delivered' ? { dateTriggers: later, dateClears: now } : { dateTriggers: now };
      const message = { orgId, id: newId('travelRuleMessage'), transferId: row.id, triggerSeconds: 60, dateAsked: now };
      await tx.insert(TravelRuleMessageEntity, { ...message, ...dates, state });
    });
    const explanation = await told(row);
    expect(explanation.stage).toBe(OPEN.includes(state) ? 'TravelRule' : 'Judging');
    if (OPEN.includes(state)) {
      const outcome = state === 'Delivered' ? 'silence lets it proceed' : 'silence triggers the travel rule policy';
      expect(explanation.until).toEqual({ date: expect.any(String), outcome });
    }
  },
);

test('at equal deadlines of a travel rule message, silence triggers the policy', async () => {
  const row = await transfer({ state: 'Requested' });
  await database.db.withOrg(orgId, async (tx) => {
    const now = await tx.clock();
    const message = { orgId, id: newId('travelRuleMessage'), transferId: row.id, triggerSeconds: 60, dateAsked: now };
    await tx.insert(TravelRuleMessageEntity, { ...message, dateTriggers: now, dateClears: now, state: 'Delivered' });
  });
  expect((await told(row)).until?.outcome).toBe('silence triggers the travel rule policy');
});

const OF_SIGNATURE: Readonly<Record<SignatureState, Stage>> = { ...OF_TRANSFER, Signed: 'Ended' };
test.each(SIGNATURE_STATES)(
  'the explanation of a signature request in %s shows the stage in which the request waits',
  async (state) => {
    const { approvalId } = await held();
    const id = newId('signature');
    const row = await database.db.withOrg(orgId, async (tx) => {
      const [key] = await tx.rows(KeyEntity, 'ORDER BY t.id LIMIT 1');
      const payload = { kind: 'Hash', digestHex: 'ab' } as const;
      const asked = {
        requesterUserId: userId,
        userActionId: newId('userAction'),
        requestBody: {},
        requestDigest: id,
        approvalId,
        policyEpoch: 1,
      };
      await tx.insert(SignatureEntity, { orgId, id, keyId: key?.id ?? '', kind: 'Hash', payload, state, ...asked });
      return tx.row(SignatureEntity, 'WHERE t.id = $1', [id]);
    });
    if (!row) throw new Error('the request is missing');
    const explanation = await explainSignature(database.db.read(orgId), row);
    expect(explanation).toMatchObject({
      stage: OF_SIGNATURE[state],
      summary: expect.stringMatching(/^The signature request .+\.$/),
    });
  },
);

test.each(CHANGE_STATUSES)(
  'the explanation of a change request in %s shows the stage in which the request waits',
  async (status) => {
    const { approvalId } = await held();
    const id = newId('changeRequest');
    await database.db.withOrg(orgId, async (tx) => {
      await tx.query('UPDATE approvals SET activity_id = $3 WHERE org_id = $1 AND id = $2', [orgId, approvalId, id]);
      const of = { kind: 'Policy', operationKind: 'Update', entityId: newId('policy'), subject: id, baseVersion: 1 } as const;
      const asked = {
        before: null,
        change: {},
        body: {},
        reason: null,
        requesterUserId: userId,
        requesterTokenId: null,
        userActionId: null,
        approvalId,
      };
      await changeRequestStore.add(tx, { id, ...of, ...asked, status, dateCreated: await tx.clock(), dateResolved: null });
    });
    expect(await explainApproval(database.db.read(orgId), approvalId)).toMatchObject({
      subject: { kind: 'ChangeRequest', id },
      stage: status === 'Pending' ? 'Approval' : 'Ended',
      summary: expect.stringMatching(/^The change .+\.$/),
    });
  },
);

test.each(APPROVAL_STATUSES)(
  'the explanation of a transfer that still waits shows that the status of its approval is %s',
  async (status) => {
    const row = await transfer();
    await database.db.withOrg(orgId, (tx) =>
      tx.query('UPDATE approvals SET status = $3, date_resolved = clock_timestamp() WHERE org_id = $1 AND id = $2', [
        orgId,
        row.approvalId,
        status,
      ]),
    );
    const explanation = await told(row);
    expect(explanation.stage).toBe(status === 'Pending' ? 'Approval' : 'Applying');
    const summaries: Partial<Record<typeof status, string>> = {
      Approved: 'The transfer was approved. It proceeds next, unless the policies in force stop it.',
      // The approval ends without a vote, for example because its groups were removed from their policies.
      Denied: 'The transfer lost its approval groups, which were removed from their policies. It is rejected next.',
      Expired: 'The transfer was not decided before its approval expired. It is rejected next.',
    };
    expect(explanation.summary).toBe(summaries[status] ?? explanation.summary);
    expect(explanation.next.length > 0).toBe(status === 'Pending');
  },
);

test('the summary states that the initiator has withdrawn the transfer, before and after the transfer has ended', async () => {
  const row = await transfer();
  await database.db.withOrg(orgId, (tx) =>
    tx.query(
      "UPDATE approvals SET status = 'Denied', withdrawn_by_action = $3, date_resolved = clock_timestamp() WHERE org_id = $1 AND id = $2",
      [orgId, row.approvalId, userActionId],
    ),
  );
  const { summary, initiator } = await told(row);
  expect(summary).toBe(`The transfer was withdrawn by ${initiator.name}. It is rejected next.`);
  const ended = await told({ ...row, state: 'Rejected', reason: 'Withdrawn by its initiator' });
  expect(ended.summary).toBe(`The transfer was rejected because it was withdrawn by ${initiator.name}.`);
});

test('the summary of a rejected transfer contains the stored reason if no person rejected it', async () => {
  const row = await transfer({ state: 'Rejected', reason: 'A policy blocks it' });
  expect((await told(row)).summary).toBe('The transfer has ended: Rejected (A policy blocks it).');
});

test.each([
  ['3', '0.000003'],
  ['1000000', '1.00'],
  ['0.000003', '0.000000000003'],
  ['1234567.000000000001', '1.234567000000000001'],
])('%s micro-dollars are shown as exactly %s dollars', async (amountUsdMicro, amountUsd) => {
  const row = await transfer();
  await database.db.withOrg(orgId, (tx) =>
    verdictStore.record(tx, {
      ...{ activityKind: 'Wallets:Sign', activityId: row.id, outcome: 'Cleared', policyEpoch: 1, evaluations: [], shadows: [] },
      facts: { amountUsdMicro, recipients: ['x'], network: 'EthereumSepolia', walletId },
    }),
  );
  const { facts, sentences } = await told(row);
  expect(facts?.amountUsd).toBe(amountUsd);
  expect(sentences).toContain(`It was judged as ${amountUsd} USD on EthereumSepolia to x.`);
});

test('the highest fee is shown in whole units, with its possible currencies and the sponsor who pays it', async () => {
  const sponsored = { feeSponsorId: newId('feeSponsor'), sponsorAddress: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' };
  await database.db.withOrg(orgId, (tx) =>
    feeSponsorStore.add(tx, {
      ...{ id: sponsored.feeSponsorId, name: 'Treasury', network: 'EthereumSepolia', allowEndUser: false },
      ...{ walletId, userActionId },
    }),
  );
  const row = { ...(await transfer()), feeCeilingUnits: '12500000000000001' };
  const own = await told(row);
  expect(own.fee).toEqual({ ceilingUnits: '12500000000000001', decimals: 18, symbols: ['ETH'], sponsor: null });
  expect(own.sentences).toContain('Its fee is at most 0.012500000000000001 ETH.');

  const paid = await told({ ...row, ...sponsored });
  const { feeSponsorId, sponsorAddress: address } = sponsored;
  expect(paid.fee?.sponsor).toEqual({ feeSponsorId, name: 'Treasury', address });
  expect(paid.sentences.join(' ')).toContain(`paid by the fee sponsor Treasury (${feeSponsorId}) from ${address}.`);
  const unnamed = await told({ ...row, feeSponsorId: 'fs-2', sponsorAddress: null });
  expect(unnamed.sentences.join(' ')).toContain('paid by the fee sponsor fs-2.');

  const onCelo = { ...row, network: 'CeloAlfajores' as const };
  expect((await told(onCelo)).fee?.symbols).toEqual(['CELO', 'cUSD']);
  const feeCurrency = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
  expect((await told({ ...onCelo, options: { feeCurrency } })).fee?.symbols).toEqual(['cUSD']);
});

test('the explanation of a replaced approval states that the transfer has a later approval', async () => {
  const row = await transfer();
  const { approvalId } = await held();
  await database.db.withOrg(orgId, (tx) =>
    tx.query('UPDATE transfers SET approval_id = $3 WHERE org_id = $1 AND id = $2', [orgId, row.id, approvalId]),
  );
  expect(await explainApproval(database.db.read(orgId), row.approvalId ?? '')).toMatchObject({
    stage: 'Ended',
    summary: 'The transfer has ended: Pending (it has a later approval).',
  });
});

// This test must be the last of the file, because each test above adds the stages that it has seen.
test('the tests have seen every stage', () => {
  expect(STAGES.filter((stage) => !seen.has(stage))).toEqual([]);
});
