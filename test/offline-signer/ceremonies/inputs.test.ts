import { addProvisioner } from '../../../offline-signer/ceremonies/add-members';
import { genesis } from '../../../offline-signer/ceremonies/genesis';
import { harvest } from '../../../offline-signer/ceremonies/harvest';
import { follow } from '../../../offline-signer/members/follow';
import { discard, show } from '../../../offline-signer/members/show';
import { manifestDigest } from '../../../platform/fleets/manifests';
import { createParty } from '../../support/fleet-parties';
import { approvalsFor, type FoundedFleet, foundFleet, harvestTask, lapsed, outputFileOf } from '../../support/founded-fleet';

let fleet: FoundedFleet;
beforeAll(async () => {
  fleet = await foundFleet({ secp256k1: 1, ed25519: 0 });
});
beforeEach(() => fleet.restore());
afterAll(() => fleet.room.remove());

const harvestOf = (text: string, now?: () => Date) => harvest(fleet.device.session(now), { input: text, approvals: [] });
const stateOf = () => fleet.device.session().open.state();

/** The device refuses, and its folder is as before. */
async function expectRefused(work: Promise<unknown>, words: string): Promise<void> {
  const before = stateOf();
  await expect(work).rejects.toThrow(words);
  expect(stateOf()).toEqual(before);
}

async function harvested(count = 1) {
  const input = fleet.service.input(harvestTask(count));
  const text = fleet.service.sign(input);
  const approvals = await approvalsFor(harvestOf(text), [fleet.operator]);
  return { input, text, approvals, files: await harvest(fleet.device.session(), { input: text, approvals }) };
}

async function approved({ input, files }: Awaited<ReturnType<typeof harvested>>): Promise<void> {
  await fleet.service.approve(input, files);
  await follow(fleet.operator.session(), { file: outputFileOf(files) });
}

test.each([
  ['of another organisation', { orgId: 'or-b' }, 'another organisation'],
  ['of another store', { storeId: 'ks-b' }, 'another key store'],
  ['of another fleet', { fleetId: 'fl-b' }, 'another fleet'],
  ['that continues another manifest', { manifest: '1'.repeat(64) }, 'continues another manifest'],
  ['that continues no manifest', { manifest: null }, 'does not say that it was rejected'],
  ['that ends before it was issued', { notAfter: '2020-01-01T00:00:00.000Z' }, 'ends before it was issued'],
])('an input %s is refused', async (_title, change, words) => {
  await expectRefused(harvestOf(fleet.service.sign(fleet.service.input(harvestTask(), change))), words);
});

test('an input by another signer, or with a signature of other bytes, is refused', async () => {
  const input = fleet.service.input(harvestTask());
  await expectRefused(harvestOf(fleet.service.sign(input, createParty('Operator', 'evil'))), 'not signed by the signer');
  const text = fleet.service.sign(input).replace('"operatorName":"Ada"', '"operatorName":"Eva"');
  await expectRefused(harvestOf(text), 'signature of the input is not valid');
});

test('an input for another device or another command is refused', async () => {
  const other = fleet.service.input({ ...harvestTask(), deviceSerial: 'D-2' });
  await expectRefused(harvestOf(fleet.service.sign(other)), 'for the device D-2');
  const text = fleet.service.sign(fleet.service.input(harvestTask()));
  const wrong = addProvisioner(fleet.device.session(), { input: text, card: fleet.second.cardText, approvals: [] });
  await expectRefused(wrong, 'this is the command for AddProvisioner');
});

test('an input has one text', async () => {
  const text = fleet.service.sign(fleet.service.input(harvestTask()));
  const names = [' ', '\n', '{', '[1]', '{"input":{}}', `${text} `, text.replace('{"input"', '{"signed":1,"input"')];
  for (const changed of names) await expectRefused(harvestOf(changed), 'This file is not an input');
});

test('the signer is pinned only if people type its fingerprint from paper', async () => {
  const device = await fleet.room.machine('Device', 'D-9');
  fleet.room.paper.set('the signer signer-test', '0000 0000');
  const input = fleet.service.sign({ ...fleet.genesisInput, task: { ...fleet.genesisInput.task, deviceSerial: 'D-9' } as never });
  await expect(genesis(device.session(), { ...fleet.genesisGiven, input })).rejects.toThrow('not the fingerprint of the signer');
  expect(device.session().open.state().signerKey).toBeNull();
});

describe('an operation', () => {
  test('is done once, and the same input writes the same output again', async () => {
    const first = await harvested();
    const { text, approvals, files } = first;
    expect(await harvest(fleet.device.session(), { input: text, approvals })).toEqual(files);
    await approved(first);
    await harvested();
    await expectRefused(harvestOf(text), 'has done the operation');
  });

  test('that uses the id of an earlier one is refused', async () => {
    const { input, files } = await harvested();
    await fleet.service.approve(input, files);
    const again = fleet.service.input({ ...harvestTask(), operationId: 'op-1' });
    await expectRefused(harvestOf(fleet.service.sign(again)), 'has done the operation op-1');
  });
});

describe('a pending manifest', () => {
  test('that the service has approved is continued', async () => {
    await approved(await harvested(2));
    await approved(await harvested(3));
    expect(fleet.service.head?.ranges.secp256k1).toBe(6);
  });

  test('that the service has rejected is left, and its indices are used for the same keys', async () => {
    const { input, files } = await harvested(2);
    await fleet.service.reject(input, files);
    const next = await harvested(2);
    await fleet.service.approve(next.input, next.files);
    expect(fleet.service.head?.ranges.secp256k1).toBe(3);
  });

  test('is not left for an input that does not name it', async () => {
    await harvested();
    await expectRefused(harvestOf(fleet.service.sign(fleet.service.input(harvestTask()))), 'does not say that it was rejected');
  });

  test('whose output was lost can be discarded by people', async () => {
    await harvested();
    const { pending } = stateOf();
    if (!pending) throw new Error('nothing is pending');
    await expectRefused(discard(fleet.device.session()), 'not the fingerprint');
    fleet.service.note(pending.manifest);
    fleet.device.screen.agrees = false;
    await expectRefused(discard(fleet.device.session()), 'did not agree');
    fleet.device.screen.agrees = true;
    await discard(fleet.device.session());
    await expectRefused(discard(fleet.device.session()), 'no pending manifest');
    const next = await harvested();
    await fleet.service.approve(next.input, next.files);
  });

  test('of a discarded output that was approved after all is learned again', async () => {
    const { input, files } = await harvested();
    const { pending } = stateOf();
    if (!pending) throw new Error('nothing is pending');
    fleet.service.note(pending.manifest);
    await discard(fleet.device.session());
    await fleet.service.approve(input, files);
    await expectRefused(harvestOf(fleet.service.sign(fleet.service.input(harvestTask()))), 'misses a manifest');
    await follow(fleet.device.session(), { file: outputFileOf(files) });
    await follow(fleet.operator.session(), { file: outputFileOf(files) });
    const next = await harvested();
    await fleet.service.approve(next.input, next.files);
  });

  test('of a service that was restored from a backup is a fork', async () => {
    const head = fleet.service.head;
    await approved(await harvested());
    await approved(await harvested());
    fleet.service.head = head;
    await expectRefused(harvestOf(fleet.service.sign(fleet.service.input(harvestTask()))), 'continues another manifest');
  });
});

describe('the date', () => {
  const YEARS_MS = 5 * 365 * 86_400_000;
  const sign = () => fleet.service.sign(fleet.service.input(harvestTask()));
  const asked = () => fleet.device.screen.said.some((one) => one.includes('date of today'));

  test('is not asked for if the clock fits the input', async () => {
    await harvestOf(sign());
    expect(asked()).toBe(false);
  });

  test.each([-YEARS_MS, YEARS_MS])('is asked of the people if the clock is off by %d ms', async (off) => {
    const text = sign();
    const now = () => new Date(Date.now() + off);
    await harvestOf(text, now);
    expect(asked()).toBe(true);
    for (const [today, words] of [
      ['', 'not a date'],
      ['2026-02-31', 'not a date'],
      ['2020-01-01', 'is before'],
      ['2040-01-01', 'has lapsed'],
    ]) {
      fleet.device.screen.today = today as string;
      await expectRefused(harvestOf(text, now), words as string);
    }
  });

  test('of a lapsed input is not accepted, whatever the clock says', async () => {
    const text = fleet.service.sign(lapsed(fleet.service.input(harvestTask()), 30));
    await expectRefused(harvestOf(text), 'has lapsed');
    const long = () => new Date(Date.now() - 31 * 86_400_000);
    fleet.device.screen.today = new Date().toISOString().slice(0, 10);
    await expectRefused(harvestOf(text, long), 'has lapsed');
  });
});

test('a device shows its state without any secret', () => {
  show(fleet.device.session());
  const said = fleet.device.screen.said.join('\n');
  const { master, signingSecret, sealingSecret, pending } = stateOf();
  expect(said).toContain('Master secret  here');
  for (const secret of [master, signingSecret, sealingSecret]) expect(said).not.toContain(secret);
  expect(pending && manifestDigest(pending.manifest)).toBe(fleet.service.head && manifestDigest(fleet.service.head));
});
