import { generateKeyPairSync } from 'node:crypto';
import { genesis } from '../../../offline-signer/ceremonies/genesis';
import { signGroup } from '../../../offline-signer/signing/sign-group';
import { canonical } from '../../../platform/canonical';
import type { FleetInput, FleetKey, SignRequest } from '../../../platform/fleets/inputs';
import type { FleetManifest } from '../../../platform/fleets/manifests';
import { type SignedOutputFile, SignOutputJson } from '../../../platform/fleets/outputs';
import { shortDigest } from '../../../platform/fleets/statement';
import { travellingText, type VouchOp } from '../../../platform/fleets/vouches';
import { NOW_MS, openOperations, temporaryFolder } from '../../signer/fixtures';
import { addStore, assignOrder, inputFor, momentAt, OFFLINE, PEOPLE, sealOrder } from '../../signer/orders/fleets/fleeting';
import { genesisTask } from '../../support/fleet-outputs';
import { createRoom, type Machine } from '../../support/offline-fleet';
import type { Travelling } from './fleet';

const operator = generateKeyPairSync('ed25519');

/** A signer in this process and a device with a folder of its own, after an approved genesis. */
export async function openSignerAndDevice() {
  const folder = temporaryFolder();
  const clock = { nowMs: NOW_MS };
  const signer = await openOperations(folder.path, () => clock.nowMs, undefined, undefined, operator.publicKey);
  const room = createRoom();
  const now = () => new Date(clock.nowMs);
  room.paper.set(`the signer ${signer.health().signerId}`, shortDigest(signer.attestor.publicKeyHex));
  await addStore(signer, operator.privateKey);
  const device = await room.machine('Device', 'D-1');
  const members = [await room.machine('Provisioner', 'P-1'), await room.machine('Provisioner', 'P-2')];
  const mac = await room.machine('Operator', 'M-1');
  device.screen.today = now().toISOString().slice(0, 10);

  /** The archive that the service gives to people. */
  const archive = async (input: FleetInput): Promise<string> => {
    const { signed } = await signer.sealFleetInput(sealOrder(input));
    return canonical({ input, signed } as never);
  };
  const task = { ...genesisTask({ secp256k1: 4, ed25519: 2 }, 2), deviceSerial: 'D-1' };
  const input = inputFor(signer, task, null);
  const text = await archive(input);
  const cards = { provisioners: members.map(({ cardText }) => cardText), operator: mac.cardText, noDice: true };
  const files = await genesis(device.session(now), { input: text, ...cards });
  const [outputJson = '', file = ''] = [files['output.json'], files['output-file.json']];
  const { output } = JSON.parse(file) as SignedOutputFile;
  await signer.recordFleet({
    ...{ requestId: input.groupId, orgId: input.orgId, input: text, outputJson, file, ...PEOPLE },
    ...momentAt(),
  });
  const head = output.manifest?.manifest as FleetManifest;
  const keyAt = (curve: FleetKey['curve'], index = 0): FleetKey => {
    const found = output.keys.find((one) => one.curve === curve && one.index === index);
    if (!found) throw new Error('the pool has no such key');
    const { proof: _proof, ...key } = found;
    return key;
  };
  let groups = 0;
  return {
    signer,
    device,
    room,
    head,
    clock,
    archive,
    keyAt,
    newGroup: () => {
      groups += 1;
      return `fg-sign-${groups}`;
    },
    assign: (key: FleetKey, keyId: string) => signer.assignFleetKey(assignOrder(key, keyId)),
    /** The request with the signer's own vouch for the group. Throws the refusal of the signer. */
    async vouchFor(groupId: string, { op, key, order }: Travelling): Promise<SignRequest> {
      const whole = { ...order, ...momentAt(clock.nowMs), policyEpoch: 1, store: { storeId: OFFLINE, groupId } };
      const vouch = signer[op] as (given: unknown) => ReturnType<(typeof signer)[VouchOp]>;
      const { vouched } = await vouch(whole);
      return { operationId: `fo-${order.requestId}`, requestId: order.requestId, op, key, order: travellingText(whole), vouched };
    },
    groupOf: (groupId: string, requests: readonly SignRequest[], given: Partial<FleetInput> = {}): FleetInput =>
      inputFor(signer, { kind: 'OnchainSign', requests: [...requests] }, head, { groupId, ...given }),
    async signOn(machine: Machine, input: string): Promise<SignOutputJson> {
      const made = await signGroup(machine.session(now), { input });
      return SignOutputJson.parse(JSON.parse(made['output.json'] ?? ''));
    },
    async close() {
      await signer.close();
      folder.remove();
      room.remove();
    },
  };
}

export type Rig = Awaited<ReturnType<typeof openSignerAndDevice>>;
