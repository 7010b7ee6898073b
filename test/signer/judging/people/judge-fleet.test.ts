import { DAY_MS, MINUTE_MS } from '../../../../domain/durations';
import { sha256Hex } from '../../../../platform/digests';
import type { FleetInput } from '../../../../platform/fleets/inputs';
import { type FleetManifest, manifestDigest } from '../../../../platform/fleets/manifests';
import { type Charter, charterDigest } from '../../../../signer/charters/charter';
import type { Evidence } from '../../../../signer/record/evidence';
import { actionName } from '../../../../signer/record/signing-entries';
import { ceremonyOutput, createFleet, type Fleet, genesisTask } from '../../../support/fleet-outputs';
import { withProofs } from '../../../support/proof-inputs';
import { type Action, actionOf, type Chartered, openChartered, type Person, type Said } from '../../charters/chartered';
import { codec, NOW_MS, ORG, orderFor, refusedAs } from '../../fixtures';
import { entryText, signedBy } from '../../key-stores/storing';
import {
  addStore,
  assignOrder,
  formOf,
  inputFor,
  manifestIn,
  momentAt,
  OFFLINE,
  poolKey,
  recordOrder,
  sealOrder,
} from '../../orders/fleets/fleeting';

const WALLET = 'wa-00000-00off-0000000000000000';
let office: Chartered;
let fleet: Fleet;
beforeEach(async () => {
  office = await openChartered();
  fleet = createFleet();
  await addStore(office.signer, office.operatorSecret);
});
afterEach(() => office.close());

const moment = () => momentAt(office.clock.nowMs);
const genesis = () => {
  const notAfter = new Date(NOW_MS + 3 * DAY_MS).toISOString();
  return inputFor(office.signer, genesisTask({ secp256k1: 2, ed25519: 2 }), null, { notAfter });
};
const signed = (by: Person, said: Said): Evidence =>
  actionOf('Initiator', by, { expiresMs: office.clock.nowMs + MINUTE_MS, ...said });
const asking = (by: Person, said: Partial<Said> = {}) => signed(by, { path: `/key-stores/${OFFLINE}/genesis/input`, ...said });
const reviewing = (by: Person, input: FleetInput, manifest: FleetManifest, said: Partial<Said> = {}) =>
  signed(by, {
    path: `/key-stores/${OFFLINE}/fleet-operations/${input.groupId}/approve`,
    body: JSON.stringify({ manifest: manifestDigest(manifest) }),
    ...said,
  });
const seal = (input: FleetInput, evidence: readonly Evidence[]) =>
  office.signer.sealFleetInput(sealOrder(input, { evidence, ...moment() }));

describe('the input of a ceremony', () => {
  beforeEach(() => office.adopt());

  test('is sealed for a member of the charter, and one action asks for one group', async () => {
    const [input, evidence] = [genesis(), [asking(office.people.ada)]];
    await expect(seal(input, evidence)).resolves.toBeDefined();
    await expect(seal(input, evidence)).resolves.toBeDefined();
    await expect(seal(genesis(), evidence)).rejects.toEqual(refusedAs('ActionUsed'));
  });

  test.each<[string, string, () => readonly Evidence[]]>([
    ['without evidence', 'InitiatorMissing', () => []],
    [
      'asked for at another store',
      'RequestMismatch',
      () => [asking(office.people.ada, { path: '/key-stores/ks-b/genesis/input' })],
    ],
    [
      'asked for as another kind',
      'RequestMismatch',
      () => [asking(office.people.ada, { path: `/key-stores/${OFFLINE}/clone/input` })],
    ],
    ['with another method', 'RequestMismatch', () => [asking(office.people.ada, { method: 'PUT' })]],
    ['without an anchor', 'ActionNotAnchored', () => [asking(office.people.ada, { anchor: null })]],
    ['asked for by a stranger', 'NotInCharter', () => [asking({ ...office.people.ada, userId: 'us-stranger' })]],
  ])('%s is refused', async (_title, reason, evidence) => {
    await expect(seal(genesis(), evidence())).rejects.toEqual(refusedAs(reason));
  });

  test('asked for more than a day ago is refused', async () => {
    const evidence = [asking(office.people.ada)];
    office.clock.nowMs = NOW_MS + DAY_MS + 1;
    await expect(seal(genesis(), evidence)).rejects.toEqual(refusedAs('ActionTooOld'));
  });
});

describe('the review of a ceremony', () => {
  const sealedGenesis = async () => {
    await office.adopt();
    const input = genesis();
    const sealed = await seal(input, [asking(office.people.ada)]);
    const made = ceremonyOutput({ fleet, input, head: null });
    return { input, sealed, made, manifest: manifestIn(made) };
  };
  type Ceremony = Awaited<ReturnType<typeof sealedGenesis>>;
  const record = ({ input, sealed, made }: Ceremony, by: Person, evidence: readonly Evidence[], changes: object = {}) => {
    const people = { createdBy: office.people.ada.userId, submittedBy: office.people.ada.userId, reviewedBy: by.userId };
    return office.signer.recordFleet(recordOrder(input, sealed, made, { ...people, evidence, ...moment(), ...changes }));
  };

  test('by another member who signed the digest of the manifest is recorded', async () => {
    const ceremony = await sealedGenesis();
    const evidence = [reviewing(office.people.cyd, ceremony.input, ceremony.manifest)];
    await expect(record(ceremony, office.people.cyd, evidence)).resolves.toMatchObject({ n: 0, keys: 4 });
    await expect(record(ceremony, office.people.cyd, evidence)).resolves.toMatchObject({ n: 0, keys: 4 });
  });

  test('does not accept an output that the service exchanged after the review', async () => {
    const ceremony = await sealedGenesis();
    const evidence = [reviewing(office.people.cyd, ceremony.input, ceremony.manifest)];
    const made = ceremonyOutput({ fleet: createFleet(), input: ceremony.input, head: null });
    await expect(record({ ...ceremony, made }, office.people.cyd, evidence)).rejects.toEqual(refusedAs('RequestMismatch'));
  });

  test.each<[string, string, (ceremony: Ceremony) => readonly [Person, readonly Evidence[], object?]]>([
    ['without evidence', 'InitiatorMissing', () => [office.people.cyd, []]],
    [
      'by the member who asked for the group, whatever the service says',
      'ReviewerNotIndependent',
      ({ input, manifest }) => [
        office.people.ada,
        [reviewing(office.people.ada, input, manifest)],
        { createdBy: office.people.cyd.userId, submittedBy: office.people.cyd.userId },
      ],
    ],
    [
      'by the user who submitted the output',
      'ReviewerNotIndependent',
      ({ input, manifest }) => [
        office.people.cyd,
        [reviewing(office.people.cyd, input, manifest)],
        { submittedBy: office.people.cyd.userId },
      ],
    ],
    [
      'by a person whose service account submitted the output',
      'ReviewerNotIndependent',
      ({ input, manifest }) => [
        office.people.ben,
        [reviewing(office.people.ben, input, manifest)],
        { submittedBy: office.people.bot.userId },
      ],
    ],
    [
      'by a service account',
      'RequestMismatch',
      ({ input, manifest }) => [office.people.bot, [reviewing(office.people.bot, input, manifest)]],
    ],
    [
      'in the name of another member',
      'RequestMismatch',
      ({ input, manifest }) => [office.people.ben, [reviewing(office.people.cyd, input, manifest)]],
    ],
    [
      'of another group',
      'RequestMismatch',
      ({ input, manifest }) => [office.people.cyd, [reviewing(office.people.cyd, { ...input, groupId: 'fg-else' }, manifest)]],
    ],
    [
      'that rejects',
      'RequestMismatch',
      ({ input, manifest }) => [
        office.people.cyd,
        [
          reviewing(office.people.cyd, input, manifest, {
            path: `/key-stores/${OFFLINE}/fleet-operations/${input.groupId}/reject`,
          }),
        ],
      ],
    ],
    [
      'without the digest of the manifest',
      'RequestMismatch',
      ({ input, manifest }) => [office.people.cyd, [reviewing(office.people.cyd, input, manifest, { body: '{}' })]],
    ],
  ])('%s is refused', async (_title, reason, given) => {
    const ceremony = await sealedGenesis();
    const [by, evidence, changes = {}] = given(ceremony);
    await expect(record(ceremony, by, evidence, changes)).rejects.toEqual(refusedAs(reason));
  });

  describe('of a store that demands two reviewers', () => {
    const twoReviewers = { kind: 'SetReviewers', storeId: OFFLINE, reviewers: 2 };
    beforeEach(() =>
      office.signer.keyStores.changeKeyStores(signedBy(office.operatorSecret, entryText(office.signer, twoReviewers))),
    );
    /** `by` are the reviewers by the word of the service. */
    const recordBy = (ceremony: Ceremony, by: readonly Person[], evidence: readonly Evidence[]) => {
      const [last, ...earlier] = [...by].reverse();
      if (!last) throw new Error('no reviewer');
      return record(ceremony, last, evidence, { earlierReviewers: earlier.map(({ userId }) => userId) });
    };

    test('is recorded with the signed approvals of both, which count only once', async () => {
      const ceremony = await sealedGenesis();
      const { ben, cyd } = office.people;
      const evidence = [ben, cyd].map((by) => reviewing(by, ceremony.input, ceremony.manifest));
      await expect(recordBy(ceremony, [ben, cyd], evidence)).resolves.toMatchObject({ n: 0, keys: 4 });
      for (const one of evidence) {
        const action = sha256Hex((one as Action).challenge);
        expect(office.signer.journal.index.get(actionName(ORG, action))).toBe(ceremony.input.groupId);
      }
    });

    test('is refused with one approval, with the approval of one of the two, or with one approval twice', async () => {
      const ceremony = await sealedGenesis();
      const { ben, cyd } = office.people;
      const [byBen, byCyd] = [ben, cyd].map((by) => reviewing(by, ceremony.input, ceremony.manifest)) as [Evidence, Evidence];
      const refused = (reason: string, by: readonly Person[], evidence: readonly Evidence[]) =>
        expect(recordBy(ceremony, by, evidence)).rejects.toEqual(refusedAs(reason));
      await refused('ReviewersMissing', [cyd], [byCyd]);
      await refused('InitiatorMissing', [ben, cyd], [byCyd]);
      await refused('InitiatorMissing', [ben, cyd], [byBen, byCyd, byCyd]);
      await refused('RequestMismatch', [ben, cyd], [byCyd, byCyd]);
      await refused('ReviewerNotIndependent', [cyd, cyd], [byCyd, byCyd]);
    });

    test.each<[string, string, (by: Person, ceremony: Ceremony) => Evidence]>([
      [
        'another manifest',
        'RequestMismatch',
        (by, { input, manifest }) => reviewing(by, input, { ...manifest, n: 1 } as FleetManifest),
      ],
      [
        'another group',
        'RequestMismatch',
        (by, { input, manifest }) => reviewing(by, { ...input, groupId: 'fg-else' }, manifest),
      ],
      ['nothing', 'ActionNotAnchored', (by, { input, manifest }) => reviewing(by, input, manifest, { anchor: null })],
    ])('is refused if the first reviewer approved %s', async (_title, reason, first) => {
      const ceremony = await sealedGenesis();
      const { ben, cyd } = office.people;
      const evidence = [first(ben, ceremony), reviewing(cyd, ceremony.input, ceremony.manifest)];
      await expect(recordBy(ceremony, [ben, cyd], evidence)).rejects.toEqual(refusedAs(reason));
    });

    test('is refused if one of the two is the member who asked for the group, or both are one person', async () => {
      const ceremony = await sealedGenesis();
      const { ada, ben, cyd } = office.people;
      const by = (one: Person) => reviewing(one, ceremony.input, ceremony.manifest);
      const asked = { createdBy: 'us-else', submittedBy: 'us-else' };
      await expect(record(ceremony, cyd, [by(ada), by(cyd)], { ...asked, earlierReviewers: [ada.userId] })).rejects.toEqual(
        refusedAs('ReviewerNotIndependent'),
      );
      const members = office.charter.members.map((one) => (one.userId === cyd.userId ? { ...one, hand: ben.userId } : one));
      await office.adopt(office.next({ members }));
      await expect(recordBy(ceremony, [ben, cyd], [by(ben), by(cyd)])).rejects.toEqual(refusedAs('ReviewerNotIndependent'));
    });

    test('may wait for the second reviewer for days', async () => {
      const ceremony = await sealedGenesis();
      const { ben, cyd } = office.people;
      const first = reviewing(ben, ceremony.input, ceremony.manifest);
      office.clock.nowMs = NOW_MS + 2 * DAY_MS;
      const evidence = [first, reviewing(cyd, ceremony.input, ceremony.manifest)];
      await expect(recordBy(ceremony, [ben, cyd], evidence)).resolves.toMatchObject({ n: 0 });
    });
  });

  test('more than a day ago is refused if it is the only one', async () => {
    const ceremony = await sealedGenesis();
    const evidence = [reviewing(office.people.cyd, ceremony.input, ceremony.manifest)];
    office.clock.nowMs = NOW_MS + DAY_MS + 1;
    await expect(record(ceremony, office.people.cyd, evidence)).rejects.toEqual(refusedAs('ActionTooOld'));
    office.clock.nowMs = NOW_MS + DAY_MS;
    await expect(record(ceremony, office.people.cyd, evidence)).resolves.toBeDefined();
  });

  test('with a credential that may not decide on approvals is refused', async () => {
    const ceremony = await sealedGenesis();
    const { cyd } = office.people;
    const { charter } = office;
    const members = charter.members.map((member) =>
      member.userId === cyd.userId
        ? { ...member, credentials: member.credentials.map((one) => ({ ...one, operations: ['transferAsset' as const] })) }
        : member,
    );
    await office.adopt(office.next({ members }));
    const evidence = [reviewing(cyd, ceremony.input, ceremony.manifest)];
    await expect(record(ceremony, cyd, evidence)).rejects.toEqual(refusedAs('NotPermitted'));
  });

  test('of a group that was sealed before the charter is refused', async () => {
    const input = genesis();
    const sealed = await seal(input, []);
    await office.adopt();
    const made = ceremonyOutput({ fleet, input, head: null });
    const ceremony = { input, sealed, made, manifest: manifestIn(made) };
    const evidence = [reviewing(office.people.cyd, input, ceremony.manifest)];
    await expect(record(ceremony, office.people.cyd, evidence)).rejects.toEqual(refusedAs('InitiatorMissing'));
  });
});

describe('a key of an offline store under a charter', () => {
  const KEY_ID = 'key-off-1';
  let head: FleetManifest;
  const wallet = () => ({
    ...{ id: WALLET, keyId: KEY_ID, network: 'EthereumSepolia', tags: [] },
    address: codec.addressOf(poolKey(fleet, 0).publicKey),
  });
  const withWallet = (): Charter => ({ ...office.charter, wallets: [...office.charter.wallets, wallet()] });
  beforeEach(async () => {
    const input = genesis();
    const sealed = await seal(input, []);
    const made = ceremonyOutput({ fleet, input, head: null });
    head = manifestIn(made);
    await office.signer.recordFleet(recordOrder(input, sealed, made));
    await office.signer.assignFleetKey(assignOrder(poolKey(fleet, 0), KEY_ID));
    await office.adopt(withWallet());
  });

  const order = (requestId: string, evidence: readonly Evidence[]) => {
    const { publicKeyHex } = formOf(poolKey(fleet, 0));
    const sealed = {
      orgId: ORG,
      keyId: KEY_ID,
      scheme: 'ECDSA',
      curve: 'secp256k1',
      publicKeyHex,
      dekId: '',
      ciphertextHex: '',
    } as const;
    const { sealed: _sealed, dek: _dek, ...rest } = orderFor({ publicKeyHex, sealed, dek: {} as never }, requestId);
    return {
      ...rest,
      ...{ ...formOf(poolKey(fleet, 0)), store: { storeId: OFFLINE, groupId: 'fg-9' }, evidence: [...evidence] },
    };
  };
  const transferAction = (by: Person, body: object = {}) =>
    signed(by, {
      path: `/wallets/${WALLET}/transfers`,
      body: JSON.stringify({ kind: 'Native', to: order('x', []).intent.to, amount: '1000', ...body }),
    });

  test('is vouched for only with the signed request of a member, and the action counts once', async () => {
    await expect(office.signer.vouchTransfer(order('xfr-1', []))).rejects.toEqual(refusedAs('InitiatorMissing'));
    await expect(
      office.signer.vouchTransfer(order('xfr-1', [transferAction(office.people.ada, { amount: '999' })])),
    ).rejects.toEqual(refusedAs('RequestMismatch'));
    const evidence = [transferAction(office.people.ada)];
    await expect(office.signer.vouchTransfer(order('xfr-1', evidence))).resolves.toBeDefined();
    await expect(office.signer.vouchTransfer({ ...order('xfr-2', evidence) })).rejects.toEqual(refusedAs('ActionUsed'));
  });

  test('counts towards the limits of its wallet', async () => {
    const limits = [{ walletId: WALLET, asset: 'native', hours: 24, unitsMax: '999' }];
    const previous = charterDigest(JSON.stringify(withWallet()));
    await office.adopt({ ...withWallet(), sequence: 2, previous, limits });
    await expect(office.signer.vouchTransfer(order('xfr-1', [transferAction(office.people.ada)]))).rejects.toEqual(
      refusedAs('AboveLimit'),
    );
  });

  test('proves its control only on the signed request of a member for this wallet', async () => {
    const prove = (evidence: readonly Evidence[], changes: object = {}) => {
      const { address, network } = wallet();
      const request = {
        operationId: 'op-1',
        walletId: WALLET,
        network,
        address,
        key: poolKey(fleet, 0),
        ...changes,
      };
      const input = inputFor(office.signer, { kind: 'ProofOfControl', requests: [] }, head);
      return seal(withProofs(input, [request]), evidence);
    };
    const asked = (walletIds: readonly string[]) =>
      signed(office.people.ada, { path: `/key-stores/${OFFLINE}/proof-of-control/input`, body: JSON.stringify({ walletIds }) });
    await expect(prove([])).rejects.toEqual(refusedAs('InitiatorMissing'));
    await expect(prove([asked(['wa-else'])])).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(prove([asked([WALLET, 'wa-else'])], { walletId: 'wa-else' })).rejects.toEqual(refusedAs('RequestMismatch'));
    await expect(prove([asked([WALLET])])).resolves.toBeDefined();
  });
});
