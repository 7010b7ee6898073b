import { isDeepStrictEqual } from 'node:util';
import { evmCodecOf } from '../../../../chains/codecs';
import { digestOf } from '../../../../platform/canonical';
import { SignTransferOrder } from '../../../../signer/orders/transfer-orders';
import type { Evidence } from '../../../../signer/record/evidence';
import {
  type Action,
  actionOf,
  type Chartered,
  GROUP_ID,
  HELD_WALLET_ID,
  keyHolder,
  openChartered,
  POLICY_ID,
  voteOf,
  WALLET_ID,
} from '../../charters/chartered';
import { FEES, NOW_MS, orderFor, payloadOrderFor, refusedAs, TO, TOKEN } from '../../fixtures';

/** A ciphertext on Sepolia. */
const HIDDEN = { handle: `0x${'ab'.repeat(21)}000000000000aa36a70500`, inputProof: `0x0101${'cd'.repeat(97)}` };

let office: Chartered;
beforeAll(async () => {
  office = await openChartered();
  await office.adopt();
});
afterAll(() => office.close());

test('a member gets the requested signature, as often as the request is repeated', async () => {
  const { signer, people, transfer } = office;
  for (const person of Object.values(people)) {
    const order = transfer(person);
    expect(await signer.signTransfer(order)).toEqual(await signer.signTransfer(order));
  }
});

test('two approvers release a held transfer: one with a passkey, one with a key', async () => {
  const { signer, people, held } = office;
  await expect(signer.signTransfer(held(people.ada, [people.ben, people.cyd]))).resolves.toBeDefined();
});

test('a decision on several approvals is accepted like a decision on one', async () => {
  const { signer, people, transfer, approved } = office;
  const order = transfer(people.ada, { walletId: HELD_WALLET_ID });
  const { approval, votes } = approved(order, [people.ben]);
  const { approvalId, digest } = approval;
  const other = { approvalId: 'ap-other', digest: null };
  const decided = [approval, other].map((one) => ({ approvalId: one.approvalId, digest: one.digest }));
  const bulk = (value: string, list = decided): Action => ({
    ...actionOf('Approver', people.cyd, {
      path: '/v2/policy-approvals/decisions',
      body: JSON.stringify({
        decisions: [
          { approvalId, value },
          { approvalId: 'ap-other', value: 'Denied' },
        ],
      }),
      approvalDigest: digestOf({ v: 1, decisions: list }),
    }),
    decided: JSON.stringify(list),
  });
  const with_ = (vote: Action) => ({ ...order, evidence: [...order.evidence, approval, ...votes, vote] });
  await expect(signer.signTransfer(with_(bulk('Denied')))).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(signer.signTransfer(with_(bulk('Approved', [{ approvalId, digest: null }])))).rejects.toEqual(
    refusedAs('VotesMissing'),
  );
  const swapped = { ...bulk('Approved'), decided: JSON.stringify([{ approvalId, digest }]) };
  await expect(signer.signTransfer(with_(swapped))).rejects.toEqual(refusedAs('VotesMissing'));
  await expect(signer.signTransfer(with_(bulk('Approved')))).resolves.toBeDefined();
});

describe('a held transfer is refused', () => {
  const outcome = async (make: () => ReturnType<Chartered['held']>) => {
    const refused: unknown = await office.signer.signTransfer(make()).then(
      () => 'signed',
      (error: unknown) => error,
    );
    return refused;
  };
  const withEvidence = (change: (evidence: readonly Evidence[]) => Evidence[]) => {
    const { ada, ben, cyd } = office.people;
    const order = office.held(ada, [ben, cyd]);
    return { ...order, evidence: change(order.evidence) };
  };

  test('without an approval, and without enough votes', async () => {
    const { ada, ben } = office.people;
    const bare = () => office.transfer(ada, { walletId: HELD_WALLET_ID });
    expect(await outcome(bare)).toEqual(refusedAs('ApprovalMissing'));
    expect(await outcome(() => office.held(ada, []))).toEqual(refusedAs('VotesMissing'));
    expect(await outcome(() => office.held(ada, [ben]))).toEqual(refusedAs('VotesMissing'));
    expect(await outcome(() => office.held(ada, [ben, ben]))).toEqual(refusedAs('VotesMissing'));
  });

  test('with a second vote by another account of the same person', async () => {
    const { ada, ben, bot } = office.people;
    expect(await outcome(() => office.held(ada, [ben, bot]))).toEqual(refusedAs('VotesMissing'));
  });

  test('with a vote by the initiator, or by another account of the initiator', async () => {
    const { ada, ben, cyd, bot } = office.people;
    expect(await outcome(() => office.held(ada, [ada, cyd]))).toEqual(refusedAs('VotesMissing'));
    expect(await outcome(() => office.held(ben, [ben, cyd]))).toEqual(refusedAs('ApprovalMismatch'));
    const order = office.transfer(ben, { walletId: HELD_WALLET_ID });
    const voterIds = [cyd.userId, bot.userId];
    const groups = [{ policyId: POLICY_ID, groupId: GROUP_ID, name: 'Officers', quorum: 2, voterIds, denierIds: [] }];
    const { approval, votes } = office.approved(order, [bot, cyd], { groups });
    const withBot = { ...order, evidence: [...order.evidence, approval, ...votes] };
    expect(await outcome(() => withBot)).toEqual(refusedAs('VotesMissing'));
  });

  test('with a denial instead of an approving vote', async () => {
    const denied = withEvidence((all) => {
      const approval = all.find((one) => one.kind === 'Approval');
      if (!approval) throw new Error('no approval');
      return [...all.slice(0, -1), voteOf(office.people.cyd, approval, 'Denied')];
    });
    expect(await outcome(() => denied)).toEqual(refusedAs('VotesMissing'));
  });

  test('with an approval for another request, for different content, with fewer votes or with different voters', async () => {
    const { ada, ben, cyd } = office.people;
    const changed = (changes: Readonly<Record<string, unknown>>) => {
      const order = office.transfer(ada, { walletId: HELD_WALLET_ID });
      const { approval, votes } = office.approved(order, [ben, cyd], changes);
      return { ...order, evidence: [...order.evidence, approval, ...votes] };
    };
    const order = office.transfer(ada, { walletId: HELD_WALLET_ID });
    const { network, feeCeilingUnits, intent } = order;
    const envelope = {
      network,
      from: intent.from,
      to: intent.to,
      asset: 'native',
      amountUnits: intent.amountUnits,
      feeCeilingUnits,
    };
    const group = { policyId: POLICY_ID, groupId: GROUP_ID, name: 'Officers', quorum: 2, denierIds: [] };
    const voterIds = [ben.userId, cyd.userId];
    for (const changes of [
      { activityId: 'xfr-other' },
      { org: 'or-00000-00000-0000000000000002' },
      { envelope: {} },
      { envelope: { ...envelope, to: intent.from } },
      { envelope: { ...envelope, amountUnits: '1' } },
      { envelope: { ...envelope, feeCeilingUnits: '1' } },
      { envelope: { ...envelope, network: 'Holesky' } },
      { envelope: { ...envelope, asset: TO } },
      { envelope: { ...envelope, tokenId: '1' } },
      { envelope: { ...envelope, terms: { call: {} } } },
      { envelope: { ...envelope, options: { memo: 'a' } } },
      { envelope: { ...envelope, sponsor: { id: 'fs-1', address: TO } } },
      { groups: [{ ...group, quorum: 1, voterIds }] },
      { groups: [{ ...group, voterIds: [...voterIds, ada.userId] }] },
      { groups: [{ ...group, groupId: 'grp-2', voterIds }] },
      { groups: [{ ...group, policyId: 'plc-other', voterIds }] },
      { groups: [] },
      { v: 2 },
    ])
      expect(await outcome(() => changed(changes))).toEqual(refusedAs('ApprovalMismatch'));
    expect(await outcome(() => changed({ groups: [{ ...group, voterIds }] }))).toBeDefined();
  });
});

test('a vote by a person who is not in the charter is rejected', async () => {
  const { signer, people, held } = office;
  await expect(signer.signTransfer(held(people.ada, [people.ben, keyHolder('eve')]))).rejects.toEqual(refusedAs('VotesMissing'));
});

describe('a request is refused', () => {
  const refusal = (order: ReturnType<Chartered['transfer']>) => expect(office.signer.signTransfer(order)).rejects;

  test('from a person who is not in the charter', async () => {
    await refusal(office.transfer(keyHolder('eve'))).toEqual(refusedAs('NotInCharter'));
  });

  test('in the name of a member, signed with another person’s key', async () => {
    const { ada } = office.people;
    await refusal(office.transfer({ ...ada, answer: keyHolder('ada').answer })).toEqual(refusedAs('AssertionInvalid'));
    const { ben, cyd } = office.people;
    await refusal(office.transfer({ ...cyd, credential: ada.credential })).toEqual(refusedAs('AssertionInvalid'));
    await refusal(office.transfer({ ...ben, answer: cyd.answer })).toEqual(refusedAs('AssertionInvalid'));
  });

  test.each([
    ['ada', { clientData: null }],
    ['ada', { signature: null }],
    ['ben', { authenticatorData: null }],
  ] as const)('of %s, with %j', async (name, absent) => {
    const order = office.transfer(office.people[name]);
    await refusal({ ...order, evidence: order.evidence.map((one) => ({ ...one, ...absent })) }).toEqual(
      refusedAs('AssertionInvalid'),
    );
  });

  test('with no initiator in the evidence, or with two', async () => {
    const order = office.transfer(office.people.ada);
    await refusal({ ...order, evidence: [] }).toEqual(refusedAs('InitiatorMissing'));
    await refusal({ ...order, evidence: [...order.evidence, ...order.evidence] }).toEqual(refusedAs('InitiatorMissing'));
  });

  test('whose body differs from the order', async () => {
    const { ada } = office.people;
    for (const body of [
      { to: office.keys.free.publicKeyHex },
      { amount: '999' },
      { kind: 'Erc20', contract: TO },
      { externalId: 'a' },
    ])
      await refusal(office.transfer(ada, { body })).toEqual(refusedAs('RequestMismatch'));
  });

  test('with an unsigned body, or without a body', async () => {
    const { ada, ben, cyd } = office.people;
    const [signed, other] = [office.transfer(ada), office.transfer(ada)];
    const [first] = signed.evidence;
    if (!first) throw new Error('no request');
    const body = JSON.stringify({ kind: 'Native', to: other.intent.to, amount: '1001' });
    const more = orderFor(office.keys.free, 'xfr-more', { nonce: 400, intent: { amountUnits: 1_001n } });
    await refusal({ ...other, ...more, evidence: [{ ...first, body }] }).toEqual(refusedAs('ActionMismatch'));
    const { body: _none, ...bare } = first;
    await refusal({ ...signed, evidence: [bare as typeof first] }).toEqual(refusedAs('ActionMismatch'));
    const held = office.held(ada, [ben, cyd]);
    const [initiator, approval] = held.evidence;
    if (!initiator || approval?.kind !== 'Approval') throw new Error('no approval');
    const denied = { ...voteOf(cyd, approval, 'Denied'), body: JSON.stringify({ value: 'Approved' }) };
    const evidence = [initiator, approval, voteOf(ben, approval), denied];
    await expect(office.signer.signTransfer({ ...held, evidence })).rejects.toEqual(refusedAs('VotesMissing'));
  });

  test('for another wallet, for a wallet outside the charter, or from another organisation', async () => {
    const { ada } = office.people;
    const order = office.transfer(ada);
    const body = JSON.stringify({ kind: 'Native', to: order.intent.to, amount: order.intent.amountUnits });
    const saying = (path: string, orgId?: string) => ({
      ...order,
      evidence: [actionOf('Initiator', ada, { path, body, ...(orgId === undefined ? {} : { orgId }) })],
    });
    await refusal(saying(`/wallets/${HELD_WALLET_ID}/transfers`)).toEqual(refusedAs('RequestMismatch'));
    await refusal(saying('/wallets/wa-other/transfers')).toEqual(refusedAs('NotInCharter'));
    await refusal(saying(`/wallets/${WALLET_ID}/transactions`)).toEqual(refusedAs('RequestMismatch'));
    await refusal(saying(`/wallets/${WALLET_ID}/transfers?a=b`)).toEqual(refusedAs('RequestMismatch'));
    await refusal(saying(`/keys/${order.keyId}/signatures`)).toEqual(refusedAs('RequestMismatch'));
    await refusal(saying(`/wallets/${WALLET_ID}/transfers`, 'or-00000-00000-0000000000000002')).toEqual(
      refusedAs('ActionMismatch'),
    );
  });

  test('that expires too late', async () => {
    const { ada } = office.people;
    const latest = NOW_MS + 11 * 60_000;
    await expect(office.signer.signTransfer(office.transfer(ada, { expiresMs: latest }))).resolves.toBeDefined();
    await refusal(office.transfer(ada, { expiresMs: latest + 1 })).toEqual(refusedAs('ActionMismatch'));
  });

  test('that has already served another request', async () => {
    const { ada } = office.people;
    const first = office.transfer(ada);
    await office.signer.signTransfer(first);
    await refusal({ ...office.transfer(ada), evidence: first.evidence }).toEqual(refusedAs('ActionUsed'));
  });

  test('with a credential that lacks the right', async () => {
    const other = await openChartered();
    const [ada, ...rest] = other.charter.members;
    if (!ada) throw new Error('no member');
    const weak = ada.credentials.map((one) => ({
      ...one,
      operations: one.operations.filter((name) => !['transferAsset', 'releaseFreeze'].includes(name)),
    }));
    await other.adopt({ ...other.charter, members: [{ ...ada, credentials: weak }, ...rest] });
    await expect(other.signer.signTransfer(other.transfer(other.people.ada))).rejects.toEqual(refusedAs('NotPermitted'));
    const evidence = [actionOf('Initiator', other.people.ada, { method: 'DELETE', path: '/freezes/frz-1' })];
    const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 1_000).toISOString() };
    const release = { orgId: other.charter.organizationId, freezeId: 'frz-1', evidence, ...moment };
    await expect(other.signer.releaseFreeze(release)).rejects.toEqual(refusedAs('NotPermitted'));
    await other.close();
  });
});

test('a key signs only for the member who requested exactly this content', async () => {
  const { signer, people, keys } = office;
  const payload = { kind: 'Message' as const, messageHex: '0x616263' };
  const order = payloadOrderFor(keys.free, 'sig-1', payload);
  const saying = (message: string, path = `/keys/${order.keyId}/signatures`) => ({
    ...order,
    evidence: [actionOf('Initiator', people.ada, { path, body: JSON.stringify({ kind: 'Message', message }) })],
  });
  await expect(signer.signPayload(order)).rejects.toEqual(refusedAs('InitiatorMissing'));
  await expect(signer.signPayload(saying('0x616264'))).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(signer.signPayload(saying('0x616263', '/keys/key-held/signatures'))).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(signer.signPayload(saying('0x616263', `/wallets/${HELD_WALLET_ID}/signatures`))).rejects.toEqual(
    refusedAs('RequestMismatch'),
  );
  await expect(signer.signPayload(saying('0x616263'))).resolves.toBeDefined();
});

test('a signature for a wallet is made only on the network of the wallet', async () => {
  const { signer, people, keys } = office;
  const signing = (network: 'EthereumSepolia' | 'EthereumHolesky') => {
    const call = { type: 2 as const, to: TO, valueUnits: '5', dataHex: '0x', accessList: [], authorizationList: [] };
    const { bytesHex } = evmCodecOf(network).buildCall(call, 700, FEES);
    const body = JSON.stringify({ kind: 'Transaction', transaction: { to: TO, value: '5' } });
    const evidence = [actionOf('Initiator', people.ada, { path: `/wallets/${WALLET_ID}/signatures`, body })];
    return signer.signPayload({
      ...payloadOrderFor(keys.free, `sig-${network}`, { kind: 'EvmTransaction', bytesHex }),
      evidence,
    });
  };
  await expect(signing('EthereumHolesky')).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(signing('EthereumSepolia')).resolves.toBeDefined();
});

test('a transfer of a hidden amount is refused', async () => {
  const { people, transfer, signer } = office;
  const order = transfer(people.ada);
  const intent = { ...order.intent, asset: { kind: 'Erc7984' as const, contract: TOKEN } };
  const hidden = orderFor(office.keys.free, 'xfr-hidden', {
    nonce: 800,
    intent: { asset: intent.asset, encrypted: HIDDEN },
  });
  await expect(signer.signTransfer({ ...hidden, evidence: order.evidence })).rejects.toEqual(refusedAs('NotWithCharter'));
});

test('an export, a shared secret and the release of a freeze need signed requests of members', async () => {
  const { signer, people, keys } = office;
  const { sealed, dek } = keys.free;
  const moment = { issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 1_000).toISOString() };
  const rows = { requestId: 'krq-1', orgId: sealed.orgId, keyId: sealed.keyId, sealed, dek, ...moment };
  await expect(signer.exportKey({ ...rows, recipientKey: Buffer.alloc(32, 9).toString('base64') })).rejects.toEqual(
    refusedAs('NotWithCharter'),
  );
  await expect(signer.deriveShared({ ...rows, domainHex: '0x00', seedHex: '0x' })).rejects.toEqual(refusedAs('InitiatorMissing'));
  const freeze = { orgId: sealed.orgId, freezeId: 'frz-1', ...moment };
  await signer.setFreeze({ ...freeze, evidence: [], target: { kind: 'Organization' } });
  const release = (path: string) =>
    signer.releaseFreeze({ ...freeze, evidence: [actionOf('Initiator', people.ada, { method: 'DELETE', path })] });
  await expect(release('/freezes/frz-2')).rejects.toEqual(refusedAs('RequestMismatch'));
  await expect(signer.signTransfer(office.transfer(people.ada))).rejects.toEqual(refusedAs('Frozen'));
  await release('/freezes/frz-1');
  await expect(signer.signTransfer(office.transfer(people.ada))).resolves.toBeDefined();
});

/** The path of every value inside `value` that is neither an object nor a list. */
function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => placesOf(one, [...path, at]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, one]) => placesOf(one, [...path, name]));
  return [path];
}

function changedAt<T>(value: T, [first, ...rest]: readonly (string | number)[], change: (leaf: unknown) => unknown): T {
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
  if (first === undefined) return value;
  const inner = copy[first];
  copy[first] = rest.length === 0 ? change(inner) : changedAt(inner, rest, change);
  return copy as T;
}

const other = (leaf: unknown): unknown => {
  if (typeof leaf === 'number') return leaf + 1;
  if (typeof leaf !== 'string' || leaf === '') return 'x';
  const at = Math.floor(leaf.length / 2);
  return `${leaf.slice(0, at)}${leaf[at] === 'a' ? 'b' : 'a'}${leaf.slice(at + 1)}`;
};

test('an order that differs in one place from the signed request is refused', async () => {
  const { signer, people, held } = office;
  const whole = held(people.ada, [people.ben, people.cyd]);
  /** Members without effect: copies of charter content, and data that only passkeys produce. */
  const free = /firstFactorKind|publicKey$|secondFactor|issuedAt|notAfter|evidence\.[03]\.authenticatorData/;
  const places = placesOf(whole).filter((path) => !free.test(path.join('.')));
  expect(places.length).toBeGreaterThan(70);
  const signed: string[] = [];
  for (const path of places)
    for (const change of [other, () => undefined, () => null]) {
      // The signer reads an order with this schema before it judges the order.
      const read = SignTransferOrder.safeParse(changedAt(whole, path, change));
      if (!read.success || isDeepStrictEqual(read.data, whole)) continue;
      await signer.signTransfer(read.data).then(
        () => signed.push(path.join('.')),
        () => undefined,
      );
    }
  expect(signed).toEqual([]);
  await expect(signer.signTransfer(whole)).resolves.toBeDefined();
});
