import { recover } from '../../../offline-signer/ceremonies/recover';
import { contribute } from '../../../offline-signer/members/approve';
import { createParty } from '../../support/fleet-parties';
import { cloneTaskOf, type FoundedFleet, foundFleet } from '../../support/founded-fleet';
import { cardTextOf, expectMachineRefuses, withChange } from '../../support/machine-refusals';
import type { Machine } from '../../support/offline-fleet';

let fleet: FoundedFleet;
beforeAll(async () => {
  fleet = await foundFleet();
});
beforeEach(() => fleet.restore());
afterAll(() => fleet.room.remove());

describe('a recovery', () => {
  const given = async (card: string, givers: readonly Machine[]) => {
    const files = await Promise.all(givers.map((one) => contribute(one.session(), { card, committed: false })));
    return files.flatMap((one) => Object.values(one));
  };
  let serial = 20;
  async function fresh() {
    serial += 1;
    const target = await fleet.room.machine('Device', `D-${serial}`);
    const input = fleet.service.sign(fleet.service.input(cloneTaskOf(fleet, target.card.serial)));
    return { target, recovered: (contributions: readonly string[]) => recover(target.session(), { input, contributions }) };
  }

  test('needs enough different provisioners, for this device', async () => {
    const { target, recovered } = await fresh();
    const [one = '', two = ''] = await given(target.cardText, fleet.provisioners.slice(0, 2));
    await expectMachineRefuses(target, recovered([]), 'no contribution');
    await expectMachineRefuses(target, recovered([one]), 'Enough provisioners');
    await expectMachineRefuses(target, recovered([one, one]), 'contributed twice');
    const [other = ''] = await given(fleet.second.cardText, [fleet.provisioners[2] as Machine]);
    await expectMachineRefuses(target, recovered([one, other]), 'not by a provisioner for this device');
    await recovered([one, two]);
  });

  test('with an exchanged or damaged share is refused', async () => {
    const { target, recovered } = await fresh();
    const [one = '', two = ''] = await given(target.cardText, fleet.provisioners.slice(0, 2));
    const damaged = withChange(two, (value: { shares: { sealed: string }[] }) => {
      for (const share of value.shares) share.sealed = Buffer.alloc(49, 1).toString('base64');
    });
    await expectMachineRefuses(target, recovered([one, damaged]), 'not by a provisioner for this device');
    const foreign = withChange(two, (value: { head: { threshold: number } }) => {
      value.head.threshold = 3;
    });
    await expectMachineRefuses(target, recovered([one, foreign]), 'different manifests');
  });

  test('with a wrong share of a genuine provisioner is noticed by the commitment', async () => {
    const { target, recovered } = await fresh();
    const [liar, honest] = fleet.provisioners as [Machine, Machine];
    const { open } = liar.session();
    const [held] = open.state().shares;
    const wrong = Buffer.from(held?.share ?? '', 'hex');
    wrong[2] = (wrong[2] ?? 0) ^ 1;
    open.save({ shares: [{ dividedAt: held?.dividedAt ?? '', share: wrong.toString('hex') }] });
    const two = await given(target.cardText, [liar, honest]);
    await expectMachineRefuses(target, recovered(two), 'do not give the master secret');
    await recovered(await given(target.cardText, fleet.provisioners));
  });

  test('trusts the provisioners of the manifest that people typed, and gives a share only to the device on paper', async () => {
    const { target, recovered } = await fresh();
    const two = await given(target.cardText, fleet.provisioners.slice(0, 2));
    fleet.room.paper.set('the newest manifest of the fleet', 'another');
    await expectMachineRefuses(target, recovered(two), 'not the fingerprint of the newest manifest');
    const giver = fleet.provisioners[0] as Machine;
    const evil = cardTextOf(createParty('Device', target.card.serial));
    await expectMachineRefuses(
      giver,
      contribute(giver.session(), { card: evil, committed: false }),
      'not the fingerprint of the new device',
    );
    await expectMachineRefuses(
      fleet.operator,
      contribute(fleet.operator.session(), { card: target.cardText, committed: false }),
      'keeps no share',
    );
  });
});
