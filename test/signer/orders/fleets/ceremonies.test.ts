import { generateKeyPairSync } from 'node:crypto';
import { DAY_MS } from '../../../../domain/durations';
import { canonical, digestOf } from '../../../../platform/canonical';
import type { FleetInput } from '../../../../platform/fleets/inputs';
import { manifestDigest } from '../../../../platform/fleets/manifests';
import { isStated } from '../../../../platform/fleets/statement';
import { sealShare } from '../../../../signer/keys/hpke';
import { importInfo } from '../../../../signer/keys/key-shares';
import { removeIndexes } from '../../../../signer/wire/operator-api';
import { ceremonyOutput, cloneTask, createFleet, genesisTask } from '../../../support/fleet-outputs';
import { createParty } from '../../../support/fleet-parties';
import { keyOrder, NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../../fixtures';
import { entryText, signedBy } from '../../key-stores/storing';
import {
  addStore,
  assignOrder,
  formOf,
  inputFor,
  manifestIn,
  OFFLINE,
  poolKey,
  recordOrder,
  type Signer,
  sealOrder,
  withGenesis,
} from './fleeting';

const OTHER_ORG = 'or-00000-00000-0000000000000002';
const operator = generateKeyPairSync('ed25519');
let folder: ReturnType<typeof temporaryFolder>;
let signer: Signer;
const open = () => openOperations(folder.path, () => NOW_MS, undefined, undefined, operator.publicKey);
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await open();
  await addStore(signer, operator.privateKey);
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const harvest = (keys = { secp256k1: 2, ed25519: 1 }): FleetInput['task'] => ({
  ...{ kind: 'KeyHarvest', operationId: 'op-1', deviceSerial: 'D-1', operatorSerial: 'M-1', operatorName: 'Ada', keys },
});
const change = (wanted: unknown) => signer.keyStores.changeKeyStores(signedBy(operator.privateKey, entryText(signer, wanted)));

describe('an input', () => {
  const genesis = (given: Partial<FleetInput> = {}) => inputFor(signer, genesisTask({ secp256k1: 2, ed25519: 2 }), null, given);
  const seal = (input: FleetInput, changes: object = {}) => signer.sealFleetInput(sealOrder(input, changes));

  test('is signed by the identity key, and the same input gets the same signature after a restart', async () => {
    const input = genesis();
    const { signed } = await seal(input);
    expect(signed.by).toBe(signer.attestor.publicKeyHex);
    expect(isStated('input', input as never, signed)).toBe(true);
    await signer.close();
    await removeIndexes(folder.path);
    signer = await open();
    await expect(seal(input)).resolves.toEqual({ signed });
  });

  test('is the only input of its group', async () => {
    const input = genesis();
    await seal(input);
    await expect(seal({ ...input, fleetLabel: 'Vault two' })).rejects.toEqual(refusedAs('RequestIdReused'));
    await expect(seal({ ...input, groupId: 'fg-other', fleetLabel: 'Vault two' })).resolves.toBeDefined();
  });

  test.each<[string, string, (input: FleetInput) => Partial<FleetInput>]>([
    ['of another signer', 'FleetInputMismatch', () => ({ signerId: 'signer-other' })],
    ['of an unknown store', 'KeyStoreUnknown', () => ({ storeId: 'ks-unknown' })],
    ['of the software store', 'KeyStoreUnknown', () => ({ storeId: 'software' })],
    ['that continues an unknown manifest', 'ManifestNotNext', () => ({ manifest: '1'.repeat(64) })],
    [
      'that lasts more than 30 days',
      'FleetInputMismatch',
      () => ({ notAfter: new Date(NOW_MS + 30 * DAY_MS + 1).toISOString() }),
    ],
    ['that has ended', 'FleetInputMismatch', () => ({ notAfter: new Date(NOW_MS - 1).toISOString() })],
    ['of the future', 'ClockDrift', () => ({ dateIssued: new Date(NOW_MS + 60_001).toISOString() })],
  ])('%s is refused', async (_title, reason, changes) => {
    const input = genesis();
    await expect(seal({ ...input, ...changes(input) })).rejects.toEqual(refusedAs(reason));
  });

  test('at each bound is signed', async () => {
    await expect(seal(genesis({ notAfter: new Date(NOW_MS + 30 * DAY_MS).toISOString() }))).resolves.toBeDefined();
    const dateIssued = new Date(NOW_MS + 60_000).toISOString();
    await expect(seal(genesis({ dateIssued, notAfter: dateIssued }))).resolves.toBeDefined();
  });

  test('must be canonical, and agree with its order', async () => {
    const input = genesis();
    for (const text of [JSON.stringify(input, null, 1), JSON.stringify(input), `${canonical(input as never)}\n`, '{}', 'null'])
      await expect(seal(input, { input: text })).rejects.toEqual(refusedAs('MalformedOrder'));
    await expect(seal(input, { requestId: 'fg-else' })).rejects.toEqual(refusedAs('FleetInputMismatch'));
    await expect(seal(input, { orgId: OTHER_ORG })).rejects.toEqual(refusedAs('FleetInputMismatch'));
    await expect(seal({ ...input, orgId: OTHER_ORG })).rejects.toEqual(refusedAs('KeyStoreUnknown'));
    await expect(seal(input, { issuedAt: new Date(NOW_MS - 60_001).toISOString() })).rejects.toEqual(refusedAs('ClockDrift'));
  });

  test('after the genesis continues the committed manifest and does not abandon it', async () => {
    const { head } = await withGenesis(signer);
    await expect(seal(genesis())).rejects.toEqual(refusedAs('ManifestNotNext'));
    await expect(seal(inputFor(signer, genesisTask({ secp256k1: 1, ed25519: 1 }), head))).rejects.toEqual(
      refusedAs('ManifestNotNext'),
    );
    const given = { abandons: [manifestDigest(head)] };
    await expect(seal(inputFor(signer, harvest(), head, given))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    await expect(seal(inputFor(signer, harvest(), head, { fleetId: 'fl-other' }))).rejects.toEqual(
      refusedAs('FleetInputMismatch'),
    );
    await expect(seal(inputFor(signer, harvest(), head, { abandons: ['1'.repeat(64)] }))).resolves.toBeDefined();
  });

  test('that makes keys is refused for a draining store, and any input for a removed store', async () => {
    await change({ kind: 'Drain', storeId: OFFLINE });
    await expect(seal(genesis())).rejects.toEqual(refusedAs('KeyStoreNotActive'));
    await change({ kind: 'Remove', storeId: OFFLINE });
    await expect(seal(genesis())).rejects.toEqual(refusedAs('KeyStoreUnknown'));
  });

  test('of a clone challenges only keys of the store', async () => {
    const { fleet, head } = await withGenesis(signer);
    const task = cloneTask(fleet, 'D-2');
    await expect(seal(inputFor(signer, { ...task, challenge: [poolKey(fleet, 9)] }, head))).rejects.toEqual(
      refusedAs('FleetInputMismatch'),
    );
    await expect(seal(inputFor(signer, task, head))).resolves.toBeDefined();
  });
});

describe('a ceremony', () => {
  const sealedGenesis = async (fleet = createFleet()) => {
    const input = inputFor(signer, genesisTask({ secp256k1: 4, ed25519: 2 }), null);
    const sealed = await signer.sealFleetInput(sealOrder(input));
    const made = ceremonyOutput({ fleet, input, head: null });
    return { fleet, input, sealed, made };
  };

  test('is recorded once, with its manifest and keys, also after a rebuild of the index', async () => {
    const { input, sealed, made } = await sealedGenesis();
    const order = recordOrder(input, sealed, made);
    const recorded = { manifest: manifestDigest(manifestIn(made)), n: 0, keys: 6 };
    await expect(signer.recordFleet(order)).resolves.toEqual(recorded);
    const entries = signer.health().journalEntries;
    await signer.close();
    await removeIndexes(folder.path);
    signer = await open();
    await expect(signer.recordFleet(order)).resolves.toEqual(recorded);
    expect(signer.health().journalEntries).toBe(entries);
    expect(signer.stores.hasKeys(ORG, { storeId: OFFLINE, kind: 'OfflineSigner' })).toBe(true);
  });

  test('is followed by the ceremony that continues its manifest', async () => {
    const { fleet, head } = await withGenesis(signer);
    const input = inputFor(signer, harvest(), head);
    const sealed = await signer.sealFleetInput(sealOrder(input));
    const made = ceremonyOutput({ fleet, input, head });
    await expect(signer.recordFleet(recordOrder(input, sealed, made))).resolves.toMatchObject({ n: 1, keys: 3 });
  });

  test('needs a reviewer who neither created nor submitted the group', async () => {
    const { input, sealed, made } = await sealedGenesis();
    for (const people of [{ reviewedBy: 'us-ada' }, { reviewedBy: 'us-ben' }, { createdBy: 'us-cyd', submittedBy: 'us-cyd' }])
      await expect(signer.recordFleet(recordOrder(input, sealed, made, people))).rejects.toEqual(
        refusedAs('ReviewerNotIndependent'),
      );
    const people = { createdBy: 'us-ada', submittedBy: 'us-ada' };
    await expect(signer.recordFleet(recordOrder(input, sealed, made, people))).resolves.toBeDefined();
  });

  test('needs as many different reviewers as the operator demands for the store', async () => {
    const { input, sealed, made } = await sealedGenesis();
    const recording = (earlierReviewers?: readonly string[]) =>
      signer.recordFleet(recordOrder(input, sealed, made, earlierReviewers ? { earlierReviewers } : {}));
    await change({ kind: 'SetReviewers', storeId: OFFLINE, reviewers: 3 });
    await expect(recording()).rejects.toEqual(refusedAs('ReviewersMissing'));
    await expect(recording(['us-dan'])).rejects.toEqual(refusedAs('ReviewersMissing'));
    for (const again of [
      ['us-dan', 'us-dan'],
      ['us-dan', 'us-cyd'],
      ['us-dan', 'us-ada'],
      ['us-dan', 'us-ben'],
    ])
      await expect(recording(again)).rejects.toEqual(refusedAs('ReviewerNotIndependent'));
    await expect(recording(['us-dan', 'us-eve'])).resolves.toMatchObject({ n: 0 });
    await expect(recording(['us-dan', 'us-eve'])).resolves.toMatchObject({ n: 0 });
  });

  test('may have more reviewers than the store demands', async () => {
    const { input, sealed, made } = await sealedGenesis();
    const people = { earlierReviewers: ['us-dan'] };
    await expect(signer.recordFleet(recordOrder(input, sealed, made, people))).resolves.toMatchObject({ n: 0 });
  });

  test('needs the reviewers that the operator demands at the time of the record', async () => {
    const { input, sealed, made } = await sealedGenesis();
    const recording = signer.recordFleet(recordOrder(input, sealed, made));
    await change({ kind: 'SetReviewers', storeId: OFFLINE, reviewers: 2 });
    await expect(recording).rejects.toEqual(refusedAs('ReviewersMissing'));
    await change({ kind: 'SetReviewers', storeId: OFFLINE, reviewers: 1 });
    await expect(signer.recordFleet(recordOrder(input, sealed, made))).resolves.toMatchObject({ n: 0 });
  });

  test('is refused without an input that this signer sealed', async () => {
    const { fleet, input, sealed, made } = await sealedGenesis();
    const thief = createParty('Device', 'D-9');
    const forged = { ...input, groupId: 'fg-forged' };
    const forgedOutput = ceremonyOutput({ fleet, input: forged, head: null });
    const byThief = { signed: thief.state('input', forged) };
    for (const by of [byThief, sealed])
      await expect(signer.recordFleet(recordOrder(forged, by, forgedOutput))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    // The signer's own statement about the input is not enough: the journal must have the input.
    await expect(signer.recordFleet(recordOrder(input, { signed: thief.state('input', input) }, made))).rejects.toEqual(
      refusedAs('FleetInputMismatch'),
    );
    await expect(signer.recordFleet(recordOrder(input, sealed, made, { requestId: 'fg-else' }))).rejects.toEqual(
      refusedAs('FleetInputMismatch'),
    );
    await expect(signer.recordFleet(recordOrder(input, sealed, made, { orgId: OTHER_ORG }))).rejects.toEqual(
      refusedAs('FleetInputMismatch'),
    );
  });

  test('is verified in full: a replayed, foreign or altered output is refused, and nothing is recorded', async () => {
    const first = await sealedGenesis();
    const second = await sealedGenesis(first.fleet);
    const entries = signer.health().journalEntries;
    await expect(signer.recordFleet(recordOrder(second.input, second.sealed, first.made))).rejects.toEqual(
      refusedAs('FleetOutputInvalid'),
    );
    const { output } = second.made;
    const other = createParty('Device', 'D-1');
    const altered = [
      { ...second.made, output: { ...output, keys: output.keys.slice(1) } },
      { ...second.made, output: { ...output, keys: [...output.keys.slice(1), ...first.made.output.keys.slice(0, 1)] } },
      { ...second.made, device: other },
      { ...second.made, outputJson: { ...second.made.outputJson, keystore_id: 'ks-b' } as typeof second.made.outputJson },
    ];
    for (const made of altered)
      await expect(signer.recordFleet(recordOrder(second.input, second.sealed, made))).rejects.toEqual(
        refusedAs('FleetOutputInvalid'),
      );
    for (const broken of [{ outputJson: '{' }, { file: 'null' }])
      await expect(signer.recordFleet(recordOrder(second.input, second.sealed, second.made, broken))).rejects.toEqual(
        refusedAs('FleetOutputInvalid'),
      );
    expect(signer.health().journalEntries).toBe(entries);
  });

  test('cannot fork: of two manifests on one head only the first is recorded', async () => {
    const first = await sealedGenesis();
    const second = await sealedGenesis(createFleet());
    const orders = [first, second].map(({ input, sealed, made }) => recordOrder(input, sealed, made));
    const results = await Promise.allSettled(orders.map((order) => signer.recordFleet(order)));
    expect(results).toEqual([
      expect.objectContaining({ status: 'fulfilled' }),
      { status: 'rejected', reason: refusedAs('ManifestNotNext') },
    ]);
    expect(digestOf(manifestIn(first.made) as never)).toBe(results[0]?.status === 'fulfilled' && results[0].value.manifest);
  });

  test('gets no second output under its id', async () => {
    const { fleet, input, sealed } = await withGenesis(signer);
    const again = ceremonyOutput({ fleet, input, head: null });
    await expect(signer.recordFleet(recordOrder(input, sealed, again))).rejects.toEqual(refusedAs('RequestIdReused'));
  });

  test('does not register keys that the organisation or another store has', async () => {
    const { fleet } = await withGenesis(signer);
    await addStore(signer, operator.privateKey, 'ks-second');
    await expect(withGenesis(signer, fleet, 'ks-second')).rejects.toEqual(refusedAs('FleetOutputInvalid'));
  });
});

describe('a key of the pool', () => {
  test('gets one id for ever, and its address is attested', async () => {
    const { fleet } = await withGenesis(signer);
    const order = assignOrder(poolKey(fleet, 0), 'key-off-1');
    await expect(signer.assignFleetKey(order)).resolves.toEqual({});
    await signer.close();
    await removeIndexes(folder.path);
    signer = await open();
    await expect(signer.assignFleetKey(order)).resolves.toEqual({});
    await expect(signer.assignFleetKey({ ...order, keyId: 'key-off-2' })).rejects.toEqual(refusedAs('KeyExists'));
    await expect(signer.assignFleetKey(assignOrder(poolKey(fleet, 1), 'key-off-1'))).rejects.toEqual(refusedAs('KeyIdReused'));
    const { attestation } = await signer.attestAddress({ orgId: ORG, keyId: 'key-off-1', network: 'EthereumSepolia' });
    expect(JSON.parse(attestation)).toMatchObject({ publicKey: order.publicKeyHex, isKnownOutside: false, keyId: 'key-off-1' });
    const stranger = { orgId: OTHER_ORG, keyId: 'key-off-1', network: 'EthereumSepolia' };
    await expect(signer.attestAddress(stranger)).rejects.toEqual(refusedAs('KeyRowMismatch'));
  });

  test.each<[string, string, object]>([
    ['that no ceremony recorded', 'FleetKeyUnknown', formOf(poolKey(createFleet(), 0))],
    ['of another organisation', 'KeyStoreUnknown', { orgId: OTHER_ORG }],
    ['of another store', 'KeyStoreUnknown', { storeId: 'ks-unknown' }],
    ['of a scheme that devices do not have', 'NotForOfflineStore', { scheme: 'Schnorr' }],
    ['under the id of a software key', 'KeyIdReused', { keyId: 'key-soft' }],
  ])('%s is not assigned', async (_title, reason, changes) => {
    const { fleet } = await withGenesis(signer);
    await signer.createKey(keyOrder('key-soft'));
    await expect(signer.assignFleetKey(assignOrder(poolKey(fleet, 0), 'key-off-1', changes))).rejects.toEqual(refusedAs(reason));
  });

  test('of one store is not assigned for a second store of the organisation', async () => {
    const { fleet } = await withGenesis(signer);
    await addStore(signer, operator.privateKey, 'ks-second');
    await expect(signer.assignFleetKey(assignOrder(poolKey(fleet, 0), 'key-off-1', { storeId: 'ks-second' }))).rejects.toEqual(
      refusedAs('FleetKeyUnknown'),
    );
  });

  test('is not assigned by a draining store', async () => {
    const { fleet } = await withGenesis(signer);
    await change({ kind: 'Drain', storeId: OFFLINE });
    await expect(signer.assignFleetKey(assignOrder(poolKey(fleet, 0), 'key-off-1'))).rejects.toEqual(
      refusedAs('KeyStoreNotActive'),
    );
  });

  test('never gets a sealed form', async () => {
    const { fleet } = await withGenesis(signer);
    await signer.assignFleetKey(assignOrder(poolKey(fleet, 0), 'key-off-1'));
    await expect(signer.createKey(keyOrder('key-off-1'))).rejects.toEqual(refusedAs('KeyIdReused'));
    const { signerId, encryptionKey } = signer.health();
    const secret = Buffer.from(digestOf({ master: fleet.master, curve: 'secp256k1', index: 1 }), 'hex');
    const share = await sealShare(
      Buffer.from(encryptionKey, 'base64'),
      importInfo({ orgId: ORG, curve: 'secp256k1', signerId }),
      secret,
    );
    const order = { ...keyOrder('key-imported'), requestId: 'krq-1', encryptedShare: share.toString('base64') };
    await expect(signer.importKey(order)).rejects.toEqual(refusedAs('KeyIdReused'));
    await expect(signer.importKey({ ...order, scheme: 'Schnorr' })).rejects.toEqual(refusedAs('KeyIdReused'));
  });
});
