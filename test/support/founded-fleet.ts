import { genesis } from '../../offline-signer/ceremonies/genesis';
import { approve } from '../../offline-signer/members/approve';
import { follow } from '../../offline-signer/members/follow';
import { takeShare } from '../../offline-signer/members/take-share';
import type { Files } from '../../offline-signer/session';
import type { FleetInput } from '../../platform/fleets/inputs';
import { genesisTask } from './fleet-outputs';
import { createFleetService, createRoom, type Machine } from './offline-fleet';

export const outputFileOf = (files: Files): string => files['output-file.json'] as string;

/** A fleet of one device, three provisioners and one operator after its genesis, with a second device that waits. */
export async function foundFleet(keys = { secp256k1: 2, ed25519: 2 }) {
  const room = createRoom();
  const service = createFleetService(room.paper);
  const device = await room.machine('Device', 'D-1');
  const second = await room.machine('Device', 'D-2');
  const operator = await room.machine('Operator', 'M-1');
  const provisioners = await Promise.all(['P-1', 'P-2', 'P-3'].map((serial) => room.machine('Provisioner', serial)));
  const input = service.input(genesisTask(keys));
  const genesisGiven = {
    input: service.sign(input),
    provisioners: provisioners.map(({ cardText }) => cardText),
    operator: operator.cardText,
    noDice: false,
  };
  const made = await genesis(device.session(), genesisGiven);
  await service.approve(input, made);
  for (const provisioner of provisioners) await takeShare(provisioner.session(), { file: outputFileOf(made) });
  await follow(operator.session(), { file: outputFileOf(made) });
  room.keep();
  const founded = { head: service.head, keys: [...service.keys], paper: [...room.paper] };
  const machines = [device, second, operator, ...provisioners];
  /** Every machine, the service and the paper are as after the genesis. */
  const restore = () => {
    room.restore();
    Object.assign(service, { head: founded.head, keys: [...founded.keys], abandons: [] });
    for (const [what, fingerprint] of founded.paper) room.paper.set(what, fingerprint);
    for (const { screen } of machines) Object.assign(screen, { agrees: true, today: new Date().toISOString().slice(0, 10) });
    for (const { screen } of machines) screen.said.splice(0);
  };
  return { restore, room, service, device, second, operator, provisioners, genesisInput: input, genesisGiven, made };
}
export type FoundedFleet = Awaited<ReturnType<typeof foundFleet>>;

let operations = 0;
const base = () => {
  operations += 1;
  return { operationId: `op-later-${operations}`, deviceSerial: 'D-1' } as const;
};

export const harvestTask = (count = 1) => ({
  ...base(),
  ...{ kind: 'KeyHarvest' as const, operatorSerial: 'M-1', operatorName: 'Ada' },
  keys: { secp256k1: count, ed25519: 0 },
});

export const cloneTaskOf = ({ service }: FoundedFleet, targetSerial = 'D-2') => {
  const [{ curve, index, publicKey } = { curve: 'secp256k1' as const, index: 0, publicKey: '' }] = service.keys;
  return { ...base(), kind: 'Clone' as const, targetSerial, challenge: [{ curve, index, publicKey }] };
};

export const addProvisionerTask = (provisionerSerial = 'P-4') => ({
  ...base(),
  ...{ kind: 'AddProvisioner' as const, provisionerSerial },
});

/** The device proposes, and the machines approve. Returns the texts of the approvals. */
export async function approvalsFor(proposing: Promise<Files>, approvers: readonly Machine[]): Promise<string[]> {
  const { 'proposal.json': proposal = '' } = await proposing;
  const texts: Files[] = [];
  for (const machine of approvers) texts.push(await approve(machine.session(), { proposal }));
  return texts.flatMap((files) => Object.values(files));
}

export const lapsed = (input: FleetInput, days: number): FleetInput => ({
  ...input,
  dateIssued: new Date(Date.now() - (days + 7) * 86_400_000).toISOString(),
  notAfter: new Date(Date.now() - days * 86_400_000).toISOString(),
});
