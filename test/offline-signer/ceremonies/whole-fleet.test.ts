import { rmSync } from 'node:fs';
import { addOperator, addProvisioner } from '../../../offline-signer/ceremonies/add-members';
import { cloneExport, cloneImport } from '../../../offline-signer/ceremonies/clone';
import { genesis } from '../../../offline-signer/ceremonies/genesis';
import { harvest } from '../../../offline-signer/ceremonies/harvest';
import { recover } from '../../../offline-signer/ceremonies/recover';
import { approve, contribute } from '../../../offline-signer/members/approve';
import { follow } from '../../../offline-signer/members/follow';
import { takeShare } from '../../../offline-signer/members/take-share';
import type { Files } from '../../../offline-signer/session';
import type { FleetInput, FleetKey } from '../../../platform/fleets/inputs';
import type { OutputFile, SignedOutputFile } from '../../../platform/fleets/outputs';
import { genesisTask } from '../../support/fleet-outputs';
import { createFleetService, createRoom, type Machine } from '../../support/offline-fleet';

const room = createRoom();
afterAll(() => room.remove());

const service = createFleetService(room.paper);
const base = { operationId: 'op-genesis', deviceSerial: 'D-1' } as const;
const fileOf = (files: Files): string => files['output-file.json'] as string;
const outputOf = (files: Files): OutputFile => (JSON.parse(fileOf(files)) as SignedOutputFile).output;

let device: Machine;
let second: Machine;
let operator: Machine;
let provisioners: readonly Machine[];
const all = () => [device, operator, ...provisioners];

beforeAll(async () => {
  device = await room.machine('Device', 'D-1');
  second = await room.machine('Device', 'D-2');
  operator = await room.machine('Operator', 'M-1');
  provisioners = await Promise.all(['P-1', 'P-2', 'P-3'].map((serial) => room.machine('Provisioner', serial)));
});

/** The device proposes, and the machines approve. */
async function approvalsOf(proposing: Promise<Files>, approvers: readonly Machine[]): Promise<string[]> {
  const { 'proposal.json': proposal = '' } = await proposing;
  const texts = await Promise.all(approvers.map((machine) => approve(machine.session(), { proposal })));
  return texts.flatMap((files) => Object.values(files));
}

/** The service approves, and every machine but the acting one learns the new manifest. */
async function commit(input: FleetInput, files: Files, acting: Machine, machines = all()): Promise<void> {
  await service.approve(input, files);
  for (const machine of machines.filter((one) => one !== acting)) await follow(machine.session(), { file: fileOf(files) });
}

const challenge = (): FleetKey[] =>
  [service.keys[1], service.keys[60]].map((key) => {
    if (!key) throw new Error('the store has no such key');
    const { curve, index, publicKey } = key;
    return { curve, index, publicKey };
  });

test('genesis makes 100 keys, and each provisioner keeps a share', async () => {
  const input = service.input({ ...genesisTask({ secp256k1: 50, ed25519: 50 }), ...base });
  const cards = { provisioners: provisioners.map(({ cardText }) => cardText), operator: operator.cardText };
  const files = await genesis(device.session(), { input: service.sign(input), ...cards, noDice: false });
  await service.approve(input, files);
  for (const provisioner of provisioners) await takeShare(provisioner.session(), { file: fileOf(files) });
  await follow(operator.session(), { file: fileOf(files) });
  expect(service.keys).toHaveLength(100);
  expect(provisioners.map((one) => one.session().open.state().shares.length)).toEqual([1, 1, 1]);
  expect(device.screen.said.join('\n')).not.toContain('WITHOUT DICE');
});

test('a harvest continues both ranges', async () => {
  const task = { ...base, operationId: 'op-harvest', kind: 'KeyHarvest', operatorSerial: 'M-1', operatorName: 'Ada' } as const;
  const input = service.input({ ...task, keys: { secp256k1: 3, ed25519: 2 } });
  const text = service.sign(input);
  const approvals = await approvalsOf(harvest(device.session(), { input: text, approvals: [] }), [operator]);
  const files = await harvest(device.session(), { input: text, approvals });
  expect(outputOf(files).keys.map(({ index }) => index)).toEqual([50, 51, 52, 50, 51]);
  await commit(input, files, device);
  expect(service.head?.ranges).toEqual({ secp256k1: 53, ed25519: 52 });
});

test('a quorum adds a provisioner, and everyone gets a new share', async () => {
  const added = await room.machine('Provisioner', 'P-4');
  const input = service.input({ ...base, operationId: 'op-provisioner', kind: 'AddProvisioner', provisionerSerial: 'P-4' });
  const given = { input: service.sign(input), card: added.cardText };
  const approvals = await approvalsOf(addProvisioner(device.session(), { ...given, approvals: [] }), provisioners.slice(0, 2));
  const files = await addProvisioner(device.session(), { ...given, approvals });
  await service.approve(input, files);
  provisioners = [...provisioners, added];
  for (const provisioner of provisioners) await takeShare(provisioner.session(), { file: fileOf(files) });
  await follow(operator.session(), { file: fileOf(files) });
  expect(service.head).toMatchObject({ threshold: 3, n: 2 });
});

test('an operator adds an operator', async () => {
  const added = await room.machine('Operator', 'M-2');
  const input = service.input({ ...base, operationId: 'op-operator', kind: 'AddMacUser', operatorSerial: 'M-2' });
  const given = { input: service.sign(input), card: added.cardText };
  const approvals = await approvalsOf(addOperator(device.session(), { ...given, approvals: [] }), [operator]);
  await commit(input, await addOperator(device.session(), { ...given, approvals }), device);
  expect(service.head?.operators.map(({ serial }) => serial)).toEqual(['M-1', 'M-2']);
});

test('a clone derives the same keys, and signs the next operation in place of the first device', async () => {
  const task = { ...base, operationId: 'op-clone', kind: 'Clone', targetSerial: 'D-2' } as const;
  const input = service.input({ ...task, challenge: challenge() });
  const text = service.sign(input);
  const given = { input: text, card: second.cardText };
  const approvals = await approvalsOf(cloneExport(device.session(), { ...given, approvals: [] }), provisioners.slice(1));
  const { 'clone.json': packed = '' } = await cloneExport(device.session(), { ...given, approvals });
  const pending = device.session().open.state().pending;
  if (!pending) throw new Error('the source has no pending manifest');
  service.note(pending.manifest);
  const files = await cloneImport(second.session(), { input: text, package: packed });
  await commit(input, files, second);
  const harvestTask = {
    ...base,
    operationId: 'op-second',
    deviceSerial: 'D-2',
    kind: 'KeyHarvest',
    operatorName: 'Ada',
  } as const;
  const next = service.input({ ...harvestTask, operatorSerial: 'M-1', keys: { secp256k1: 1, ed25519: 0 } });
  const nextText = service.sign(next);
  const agreed = await approvalsOf(harvest(second.session(), { input: nextText, approvals: [] }), [operator]);
  await commit(next, await harvest(second.session(), { input: nextText, approvals: agreed }), second);
  expect(service.head?.ranges).toEqual({ secp256k1: 54, ed25519: 52 });
});

test('after the loss of both devices and one share a new device recovers the master secret', async () => {
  for (const lost of [device, second, provisioners[1] as Machine]) rmSync(lost.folder, { recursive: true });
  const left = provisioners.filter((_, at) => at !== 1);
  const fresh = await room.machine('Device', 'D-3');
  const task = { ...base, operationId: 'op-recovery', kind: 'Clone', targetSerial: 'D-3' } as const;
  const input = service.input({ ...task, challenge: challenge() });
  const texts = await Promise.all(left.map((one) => contribute(one.session(), { card: fresh.cardText, committed: false })));
  const contributions = texts.flatMap((files) => Object.values(files));
  const tooFew = recover(fresh.session(), { input: service.sign(input), contributions: contributions.slice(1) });
  await expect(tooFew).rejects.toThrow('Enough provisioners');
  const files = await recover(fresh.session(), { input: service.sign(input), contributions });
  await commit(input, files, fresh, [operator, ...left]);
  expect(service.head?.devices.map(({ serial }) => serial)).toEqual(['D-1', 'D-2', 'D-3']);
  const open = fresh.session().open;
  expect(open.state().master).not.toBeNull();
});
