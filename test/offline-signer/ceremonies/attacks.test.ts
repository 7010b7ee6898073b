import { addProvisioner } from '../../../offline-signer/ceremonies/add-members';
import { cloneExport, cloneImport } from '../../../offline-signer/ceremonies/clone';
import { genesis } from '../../../offline-signer/ceremonies/genesis';
import { harvest } from '../../../offline-signer/ceremonies/harvest';
import { recover } from '../../../offline-signer/ceremonies/recover';
import { approve, contribute } from '../../../offline-signer/members/approve';
import { follow } from '../../../offline-signer/members/follow';
import { takeShare } from '../../../offline-signer/members/take-share';
import { recombine } from '../../../offline-signer/secrets/master-secret';
import { sealBox } from '../../../offline-signer/secrets/sealed-box';
import { canonical } from '../../../platform/canonical';
import { manifestDigest } from '../../../platform/fleets/manifests';
import { nextManifest } from '../../../platform/fleets/next-manifest';
import type { ShareBox, SignedOutputFile } from '../../../platform/fleets/outputs';
import { createParty } from '../../support/fleet-parties';
import {
  addProvisionerTask,
  approvalsFor,
  cloneTaskOf,
  type FoundedFleet,
  foundFleet,
  harvestTask,
  outputFileOf,
} from '../../support/founded-fleet';
import { cardTextOf, expectMachineRefuses, withChange } from '../../support/machine-refusals';
import type { Machine } from '../../support/offline-fleet';

let fleet: FoundedFleet;
beforeAll(async () => {
  fleet = await foundFleet();
});
beforeEach(() => fleet.restore());
afterAll(() => fleet.room.remove());

describe('at a genesis', () => {
  let fresh: Machine;
  let serial = 10;
  beforeEach(async () => {
    serial += 1;
    fresh = await fleet.room.machine('Device', `D-${serial}`);
  });
  const inputOf = (change: object = {}) => {
    const { task } = fleet.genesisInput;
    return fleet.service.sign({ ...fleet.genesisInput, task: { ...task, deviceSerial: fresh.card.serial, ...change } as never });
  };
  const found = (given: Partial<FoundedFleet['genesisGiven']>) =>
    genesis(fresh.session(), { ...fleet.genesisGiven, input: inputOf(), ...given });

  test('a provisioner whom the service exchanged is noticed by the fingerprint on paper', async () => {
    const evil = createParty('Provisioner', 'P-3');
    const provisioners = [...fleet.genesisGiven.provisioners.slice(0, 2), cardTextOf(evil)];
    await expectMachineRefuses(fresh, found({ provisioners }), 'not the fingerprint of the provisioner P-3');
  });

  test('a card whose sealing key was exchanged is not sound', async () => {
    const [one = '', ...others] = fleet.genesisGiven.provisioners;
    const evil = withChange(one, (card: { sealingKey: string }) => {
      card.sealingKey = createParty('Provisioner', 'x').card.sealingKey;
    });
    await expectMachineRefuses(fresh, found({ provisioners: [evil, ...others] }), 'card is not sound');
  });

  test('one person does not stand for two, and no other role for a provisioner', async () => {
    const [one = ''] = fleet.genesisGiven.provisioners;
    await expectMachineRefuses(fresh, found({ provisioners: [one, one, one] }), 'share a key or a serial number');
    await expectMachineRefuses(fresh, found({ operator: one }), 'needs a Operator');
    await expectMachineRefuses(
      fresh,
      found({ provisioners: fleet.genesisGiven.provisioners.slice(1) }),
      'asks for 3 provisioners',
    );
  });

  test('a threshold of one, or above the number of provisioners, is refused', async () => {
    await expectMachineRefuses(fresh, found({ input: inputOf({ threshold: 1 }) }), 'not an input');
    await expectMachineRefuses(fresh, found({ input: inputOf({ threshold: 4 }) }), 'threshold is too high');
  });

  test('too few rolls, other numbers and a die that always falls alike are refused', async () => {
    for (const [dice, words] of [
      ['12345'.repeat(9), '45 rolls'],
      ['1234567'.repeat(8), 'numbers 1 to 6'],
      ['1'.repeat(60), 'fair dice'],
    ] as const) {
      fresh.screen.dice = dice;
      await expectMachineRefuses(fresh, found({}), words);
    }
    fresh.screen.agrees = false;
    await expectMachineRefuses(fresh, found({ noDice: true }), 'did not agree');
    fresh.screen.agrees = true;
    await found({ noDice: true });
    expect(fresh.screen.said.join()).toContain('WITHOUT DICE');
  });

  test('a device has one', async () => {
    const input = fleet.service.sign({
      ...fleet.genesisInput,
      task: { ...fleet.genesisInput.task, operationId: 'op-x' } as never,
    });
    await expectMachineRefuses(
      fleet.device,
      genesis(fleet.device.session(), { ...fleet.genesisGiven, input }),
      'does not say that it was rejected',
    );
  });

  test('that was rejected is made again with another secret', async () => {
    const first = await found({});
    const { pending, master } = fresh.session().open.state();
    if (!pending) throw new Error('nothing is pending');
    const { output } = JSON.parse(outputFileOf(first)) as { output: { manifest: { manifest: never } } };
    const abandons = [manifestDigest(output.manifest.manifest)];
    const task = { ...fleet.genesisInput.task, deviceSerial: fresh.card.serial, operationId: 'op-second' } as never;
    await found({ input: fleet.service.sign({ ...fleet.genesisInput, abandons, task }) });
    expect(fresh.session().open.state().master).not.toBe(master);
  });
});

describe('shares', () => {
  const file = () => outputFileOf(fleet.made);
  const provisioner = () => fleet.provisioners[0] as Machine;

  test('of the genesis give the master secret in any two, and never alone', async () => {
    const shares = fleet.provisioners.map(({ session }) => Buffer.from(session().open.state().shares[0]?.share ?? '', 'hex'));
    const commitment = fleet.service.head?.masterCommitment ?? '';
    const { master } = fleet.device.session().open.state();
    for (const left of [0, 1, 2]) {
      const two = shares.filter((_, at) => at !== left);
      expect((await recombine(two, commitment))?.toString('hex')).toBe(master);
    }
    const wrong = Buffer.from(shares[0] as Buffer);
    wrong[3] = (wrong[3] ?? 0) ^ 1;
    expect(await recombine([wrong, shares[1] as Buffer], commitment)).toBeUndefined();
    expect((await recombine([wrong, ...shares.slice(1)], commitment))?.toString('hex')).toBe(master);
    expect(await recombine([shares[0] as Buffer], commitment)).toBeUndefined();
  });

  test('are for one provisioner', async () => {
    const moved = withChange(file(), (value: { output: { boxes: { provisioner: string }[] } }) => {
      const [one, two] = value.output.boxes;
      if (one && two) [one.provisioner, two.provisioner] = [two.provisioner, one.provisioner];
    });
    await expectMachineRefuses(provisioner(), takeShare(provisioner().session(), { file: moved }), 'not signed by its device');
    await expectMachineRefuses(fleet.operator, takeShare(fleet.operator.session(), { file: file() }), 'Only a provisioner');
  });

  test('that a device sealed for another provisioner, or for another manifest, are refused', async () => {
    const { output } = JSON.parse(file()) as SignedOutputFile;
    const [own, other] = output.boxes as [ShareBox, ShareBox];
    const { signingKey, sealingKey } = provisioner().card;
    const others = { ...other, provisioner: signingKey };
    const elsewhere = { ...own, ...(await sealBox('share', sealingKey, '1'.repeat(64), Buffer.alloc(33, 1))) };
    expect(own.provisioner).toBe(signingKey);
    for (const box of [others, elsewhere]) {
      const changedOutput = { ...output, boxes: [box, ...output.boxes.slice(1)] };
      const signed = fleet.device.session().open.sign('output', changedOutput as never);
      const text = canonical({ output: changedOutput, signed } as never);
      await expectMachineRefuses(
        provisioner(),
        takeShare(provisioner().session(), { file: text }),
        'not for this machine, or not for',
      );
    }
  });

  test('come with a manifest that people compared', async () => {
    const fresh = await fleet.room.machine('Provisioner', 'P-7');
    await expectMachineRefuses(fresh, takeShare(fresh.session(), { file: file() }), 'no share for this provisioner');
    await expectMachineRefuses(fresh, follow(fresh.session(), { file: file() }), 'does not contain this machine');
  });

  test('are not taken from a device of another fleet', async () => {
    const other = await foundFleet({ secp256k1: 1, ed25519: 0 });
    await expectMachineRefuses(
      provisioner(),
      takeShare(provisioner().session(), { file: outputFileOf(other.made) }),
      'no share for this provisioner',
    );
    await expectMachineRefuses(
      provisioner(),
      follow(provisioner().session(), { file: outputFileOf(other.made) }),
      'does not follow',
    );
    other.room.remove();
  });
});

describe('a clone', () => {
  const texts = () => {
    const task = cloneTaskOf(fleet);
    const input = fleet.service.input(task);
    return { task, input, text: fleet.service.sign(input) };
  };
  const exported = (text: string, approvals: readonly string[], card = fleet.second.cardText) =>
    cloneExport(fleet.device.session(), { input: text, card, approvals });

  async function packed(text: string) {
    const approvals = await approvalsFor(exported(text, []), fleet.provisioners.slice(0, 2));
    const { 'clone.json': clone = '' } = await exported(text, approvals);
    const { pending } = fleet.device.session().open.state();
    if (pending) fleet.service.note(pending.manifest);
    return clone;
  }

  test('needs a quorum of different members on exactly this manifest', async () => {
    const { text, task } = texts();
    const [one = ''] = await approvalsFor(exported(text, []), fleet.provisioners.slice(0, 1));
    await expectMachineRefuses(fleet.device, exported(text, [one]), 'Enough provisioners');
    await expectMachineRefuses(fleet.device, exported(text, [one, one]), 'every signature must be by a member');
    const evil = createParty('Provisioner', 'P-2');
    const next = nextManifest(fleet.service.head as never, task, fleet.second.card);
    const forged = withChange(one, (approval: { signed: unknown }) => {
      approval.signed = evil.state('manifest', next);
    });
    await expectMachineRefuses(fleet.device, exported(text, [one, forged]), 'every signature must be by a member');
    const [operators = ''] = await approvalsFor(exported(text, []), [fleet.operator]);
    await expectMachineRefuses(fleet.device, exported(text, [one, operators]), 'Enough provisioners');
  });

  test('does not go to a device that the service put in the place of the target', async () => {
    const { text } = texts();
    const evil = cardTextOf(createParty('Device', 'D-2'));
    const provisioner = fleet.provisioners[0] as Machine;
    const { 'proposal.json': proposal = '' } = await exported(text, [], evil);
    await expectMachineRefuses(
      provisioner,
      approve(provisioner.session(), { proposal }),
      'not the fingerprint of the new member D-2',
    );
    const approvals = await approvalsFor(exported(text, []), fleet.provisioners.slice(0, 2));
    await expectMachineRefuses(fleet.device, exported(text, approvals, evil), 'not the fingerprint of the new member D-2');
    await expectMachineRefuses(
      fleet.device,
      exported(text, [], cardTextOf(createParty('Device', 'D-8'))),
      'for the new device D-2',
    );
    await expectMachineRefuses(fleet.device, exported(text, [], fleet.operator.cardText), 'needs a Device');
  });

  test('is opened by the target alone, for this input and manifest', async () => {
    const { text } = texts();
    const clone = await packed(text);
    const third = await fleet.room.machine('Device', 'D-3');
    await expectMachineRefuses(third, cloneImport(third.session(), { input: text, package: clone }), 'for the device D-2');
    const other = fleet.service.sign(fleet.service.input({ ...cloneTaskOf(fleet, 'D-3') }));
    await expectMachineRefuses(third, cloneImport(third.session(), { input: other, package: clone }), 'for another device');
    const fork = fleet.service.sign(fleet.service.input(cloneTaskOf(fleet), { manifest: '2'.repeat(64) }));
    await expectMachineRefuses(
      fleet.second,
      cloneImport(fleet.second.session(), { input: fork, package: clone }),
      'continues another manifest',
    );
    const bare = withChange(clone, (value: { manifest: { signatures: unknown[] } }) => value.manifest.signatures.splice(1));
    await expectMachineRefuses(
      fleet.second,
      cloneImport(fleet.second.session(), { input: text, package: bare }),
      'Enough provisioners',
    );
    const unsigned = withChange(clone, (value: { manifest: { signatures: unknown[] } }) =>
      value.manifest.signatures.splice(0, 1),
    );
    const taken = cloneImport(fleet.second.session(), { input: text, package: unsigned });
    await expectMachineRefuses(fleet.second, taken, 'The acting device must have signed the manifest');
    await cloneImport(fleet.second.session(), { input: text, package: clone });
  });

  test('with another secret in the box is noticed by the commitment', async () => {
    const { text } = texts();
    const clone = await packed(text);
    const value = JSON.parse(clone) as { manifest: { manifest: never }; box: unknown };
    value.box = await sealBox(
      'clone',
      fleet.second.card.sealingKey,
      manifestDigest(value.manifest.manifest),
      Buffer.alloc(32, 9),
    );
    const given = { input: text, package: canonical(value as never) };
    await expectMachineRefuses(fleet.second, cloneImport(fleet.second.session(), given), 'not the master secret of the fleet');
  });

  test('is compared with the screen of the source', async () => {
    const { text } = texts();
    const clone = await packed(text);
    fleet.room.paper.set('the manifest, from the screen of the source,', 'another');
    await expectMachineRefuses(
      fleet.second,
      cloneImport(fleet.second.session(), { input: text, package: clone }),
      'not the fingerprint of the manifest',
    );
  });

  test('does not go to a device that belongs to a fleet', async () => {
    const { text } = texts();
    await expectMachineRefuses(
      fleet.device,
      cloneImport(fleet.device.session(), { input: text, package: '{}' }),
      'for the device D-2',
    );
  });
});

describe('people', () => {
  test('do not approve a manifest with a hidden change', async () => {
    const text = fleet.service.sign(fleet.service.input(harvestTask()));
    const { 'proposal.json': proposal = '' } = await harvest(fleet.device.session(), { input: text, approvals: [] });
    const evil = createParty('Device', 'D-6').card;
    const hidden = withChange(proposal, (value: { next: { devices: unknown[]; threshold: number } }) =>
      value.next.devices.push(evil),
    );
    const fewer = withChange(proposal, (value: { next: { threshold: number } }) => {
      value.next.threshold = 2;
      (value as never as { next: { n: number } }).next.n = 5;
    });
    const provisioner = fleet.provisioners[0] as Machine;
    for (const changedProposal of [hidden, fewer])
      await expectMachineRefuses(
        provisioner,
        approve(provisioner.session(), { proposal: changedProposal }),
        'more than one operation',
      );
    const foreign = withChange(proposal, (value: { head: { n: number } }) => {
      value.head.n = 7;
    });
    await expectMachineRefuses(provisioner, approve(provisioner.session(), { proposal: foreign }), 'does not know');
    provisioner.screen.agrees = false;
    await expectMachineRefuses(provisioner, approve(provisioner.session(), { proposal }), 'did not agree');
    await expectMachineRefuses(fleet.device, approve(fleet.device.session(), { proposal }), 'does not approve its own');
  });

  test('a harvest needs its operator, and not a provisioner', async () => {
    const text = fleet.service.sign(fleet.service.input(harvestTask()));
    const harvestWith = (approvals: readonly string[]) => harvest(fleet.device.session(), { input: text, approvals });
    const approvals = await approvalsFor(harvestWith([]), [fleet.provisioners[0] as Machine]);
    await expectMachineRefuses(fleet.device, harvestWith(approvals), 'An operator of the committed manifest');
    const other = fleet.service.sign(fleet.service.input(harvestTask(2)));
    const forOther = await approvalsFor(harvest(fleet.device.session(), { input: other, approvals: [] }), [fleet.operator]);
    await expectMachineRefuses(fleet.device, harvestWith(forOther), 'for another manifest');
  });

  test('a provisioner is not added by one, and the old shares still count', async () => {
    const added = await fleet.room.machine('Provisioner', 'P-4');
    const input = fleet.service.input(addProvisionerTask());
    const add = (approvals: readonly string[]) =>
      addProvisioner(fleet.device.session(), { input: fleet.service.sign(input), card: added.cardText, approvals });
    const approvals = await approvalsFor(add([]), fleet.provisioners.slice(0, 2));
    await expectMachineRefuses(fleet.device, add(approvals.slice(1)), 'Enough provisioners');
    const files = await add(approvals);
    for (const one of fleet.provisioners) await takeShare(one.session(), { file: outputFileOf(files) });
    await fleet.service.reject(input, files);
    expect(fleet.provisioners.map(({ session }) => session().open.state().shares.length)).toEqual([2, 2, 2]);
    const target = await fleet.room.machine('Device', 'D-5');
    const clone = fleet.service.sign(fleet.service.input(cloneTaskOf(fleet, 'D-5')));
    const given = await Promise.all(
      fleet.provisioners.slice(1).map((one) => contribute(one.session(), { card: target.cardText, committed: true })),
    );
    await recover(target.session(), { input: clone, contributions: given.flatMap((one) => Object.values(one)) });
  });
});
