import { verify } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak256 } from 'viem/utils';
import { addOperator, addProvisioner } from '../../offline-signer/ceremonies/add-members';
import { cloneExport } from '../../offline-signer/ceremonies/clone';
import { genesis } from '../../offline-signer/ceremonies/genesis';
import { harvest } from '../../offline-signer/ceremonies/harvest';
import { prove } from '../../offline-signer/ceremonies/prove';
import { createIdentity } from '../../offline-signer/secrets/identity-keys';
import type { Files } from '../../offline-signer/session';
import { trustCharter } from '../../offline-signer/signing/trusted-charter';
import { canonical } from '../../platform/canonical';
import type { FleetInput } from '../../platform/fleets/inputs';
import { manifestDigest } from '../../platform/fleets/manifests';
import { nextManifest } from '../../platform/fleets/next-manifest';
import { FLEET_INPUT_PATHS } from '../../platform/fleets/reviews';
import { newId } from '../../platform/ids';
import { moment } from '../organization';
import type { FleetAttack, FleetScene } from './attempt';
import { askSeal, type Carried, signedByThief } from './carry';
import { inputOf } from './vault';

/** A ceremony of a machine gives files, or refuses. Files with one of these names are a gain. */
async function atMachine(work: () => Promise<Files>, gains: readonly string[]): Promise<Carried> {
  try {
    const names = Object.keys(await work());
    const gain = names.find((name) => gains.includes(name));
    return gain === undefined ? { signed: 0 } : { signed: 0, gain: `the device wrote ${gain}` };
  } catch (error) {
    return { refused: `device: ${(error as Error).message.replace(/[0-9a-f]{4}(?: [0-9a-f]{4})+/g, '…').slice(0, 60)}` };
  }
}

const OUTPUTS = ['output.json', 'output-file.json', 'clone.json'];

function taskOf({ random, vault }: FleetScene): FleetInput['task'] {
  const base = { operationId: newId('fleetOperation'), deviceSerial: 'D-1' };
  const [key] = vault.keys;
  const keys = { secp256k1: random.whole(1, 3), ed25519: 0 };
  return random.oneOf<FleetInput['task']>([
    { ...base, kind: 'Clone', targetSerial: 'D-9', challenge: key ? [key] : [] },
    { ...base, kind: 'KeyHarvest', operatorSerial: 'M-1', operatorName: 'Ada', keys },
    { ...base, kind: 'AddProvisioner', provisionerSerial: 'P-9' },
    { ...base, kind: 'AddMacUser', operatorSerial: 'M-9' },
    { ...base, kind: 'Genesis', provisioners: 2, threshold: 2, keys },
  ]);
}

/** One corrupt administrator asks for a ceremony, and forges the approvals of the others. Paper has no card of the attacker. */
async function loneAdministrator(scene: FleetScene): Promise<readonly Carried[]> {
  const { vault, random, wire } = scene;
  const { place, people, manifest, device, thief } = vault;
  const task = taskOf(scene);
  const input = { ...inputOf(place, task), manifest: task.kind === 'Genesis' ? null : manifestDigest(manifest) };
  const path = FLEET_INPUT_PATHS[task.kind].replace(':storeId', place.storeId);
  const evidence = random.oneOf([[people.asked(people.ada, path, {})], [people.asked(people.stranger, path, {})], []]);
  const sealed = await askSeal(wire, input, evidence);
  const outcomes: Carried[] = [sealed.kind === 'Refused' ? { refused: sealed.reason } : { signed: 0 }];
  const machine = sealed.kind === 'Refused' ? scene.twin : device;
  const text =
    sealed.kind === 'Refused'
      ? signedByThief(vault, input)
      : canonical({ input, signed: (sealed.result as { signed: object }).signed } as never);
  const role = { Clone: 'Device', AddProvisioner: 'Provisioner', AddMacUser: 'Operator' } as const;
  const { card } = await createIdentity(
    task.kind in role ? role[task.kind as keyof typeof role] : 'Operator',
    { Clone: 'D-9', AddProvisioner: 'P-9', AddMacUser: 'M-9' }[task.kind as string] ?? 'M-1',
  );
  const own = { input: text, card: canonical(card) };
  const next = task.kind === 'Genesis' ? undefined : nextManifest(manifest, task as never, card);
  const digest = next ? manifestDigest(next) : '';
  const forged = [
    thief.state('manifest', next ?? {}),
    { ...thief.state('manifest', next ?? {}), by: manifest.provisioners[0]?.signingKey },
  ];
  const approvals = random
    .oneOf([forged, forged.slice(1), [forged[0], forged[0]], []])
    .map((signed) => canonical({ type: 'strongroom-fleet-approval', v: 1, manifest: digest, signed } as never));
  const session = machine.session();
  const works: Readonly<Record<string, () => Promise<Files>>> = {
    Clone: () => cloneExport(session, { ...own, approvals }),
    KeyHarvest: () => harvest(session, { input: text, approvals }),
    AddProvisioner: () => addProvisioner(session, { ...own, approvals }),
    AddMacUser: () => addOperator(session, { ...own, approvals }),
    Genesis: () => genesis(session, { input: text, provisioners: [own.card, own.card], operator: own.card, noDice: true }),
  };
  // The archive may also be for another command.
  const work = random.share() < 0.8 ? works[task.kind] : random.oneOf(Object.values(works));
  if (work) outcomes.push(await atMachine(work, OUTPUTS));
  return outcomes;
}

/** An older charter, another organisation's, and one of the attacker, on the stick of the people who trust a charter. */
async function otherCharter({ vault, random, twin }: FleetScene): Promise<readonly Carried[]> {
  const { former, people, device } = vault;
  const content = JSON.parse(former.charter) as { readonly members: readonly object[]; readonly sequence: number };
  const [thief] = content.members;
  const text = random.oneOf([
    former.charter,
    JSON.stringify({ ...content, policies: [], sequence: 3 }),
    JSON.stringify({ ...content, policies: [] }),
    JSON.stringify({ ...content, members: [...content.members, { ...thief, userId: people.stranger.userId }], sequence: 9 }),
    JSON.stringify({ ...content, organizationId: 'or-thief', sequence: 9 }),
    former.charter.slice(1),
  ]);
  const machine = random.oneOf([device, twin]);
  const before = machine.session().open.textOf('charter.json');
  const done = await atMachine(() => trustCharter(machine.session(), { charter: text }).then(() => ({})), []);
  const isChanged = machine.session().open.textOf('charter.json') !== before;
  return [isChanged ? { signed: 0, gain: 'the device trusts another charter' } : done];
}

/** The bytes that a network would hash or sign for the transaction. */
const digestsOf = (bytesHex: string): readonly Buffer[] => {
  const bytes = Buffer.from(bytesHex.slice(2), 'hex');
  return [bytes, Buffer.from(keccak256(bytes).slice(2), 'hex')];
};

/** A proof of control whose message is the genuine transaction. Its signature must not be one of the transaction. */
async function proofAsTransaction({ vault, genuine, random, twin }: FleetScene): Promise<readonly Carried[] | undefined> {
  const { bytesHex } = genuine.order as { readonly bytesHex?: string };
  const { row, key } = genuine.wallet;
  const pool = vault.keys.find(({ publicKey }) => publicKey === key.publicKeyHex);
  if (bytesHex === undefined || pool === undefined) return undefined;
  const raw = Buffer.from(bytesHex.slice(2), 'hex');
  const message = random
    .oneOf([bytesHex, raw.toString('latin1'), raw.toString('base64'), `\0${bytesHex}`, '\u202e'])
    .slice(0, 1_024);
  const requests = [
    { operationId: newId('fleetOperation'), walletId: row.id, network: row.network, address: row.address, key: pool, message },
  ];
  const input = { ...inputOf(vault.place, { kind: 'ProofOfControl', requests }), manifest: manifestDigest(vault.manifest) };
  let output: string;
  try {
    output = (await prove(twin.session(), { input: signedByThief(vault, input) }))['output.json'] ?? '';
  } catch (error) {
    return [{ refused: `device: ${(error as Error).message.slice(0, 60)}` }];
  }
  const [answer] = Object.values(
    (JSON.parse(output) as { outputs: Record<string, { result: { success?: { signature: string } } }> }).outputs,
  );
  const signature = Buffer.from(answer?.result.success?.signature ?? '', 'hex');
  const publicKey = Buffer.from(key.publicKeyHex, 'hex');
  const isOfTransaction = digestsOf(bytesHex).some((digest) =>
    pool.curve === 'ed25519'
      ? verify(
          null,
          digest,
          { key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') }, format: 'jwk' },
          signature,
        )
      : digest.length === 32 && secp256k1.verify(signature, digest, publicKey, { prehash: false }),
  );
  return [isOfTransaction ? { signed: 1, gain: 'a proof of control is a transaction' } : { signed: 1 }];
}

/** The output of the attacker's own device, with one person as creator, submitter and reviewer, or with borrowed names. */
async function plantedCeremony({ vault, wire, random }: FleetScene): Promise<readonly Carried[]> {
  const { place, people, manifest, thief } = vault;
  const task = {
    kind: 'KeyHarvest',
    operationId: newId('fleetOperation'),
    deviceSerial: 'D-1',
    operatorSerial: 'M-1',
    operatorName: 'Ada',
    keys: { secp256k1: 1, ed25519: 0 },
  };
  const input = { ...inputOf(place, task as FleetInput['task']), manifest: manifestDigest(manifest) };
  const path = FLEET_INPUT_PATHS.KeyHarvest.replace(':storeId', place.storeId);
  const sealed = await askSeal(wire, input, [people.asked(people.ada, path, {})]);
  const signed = sealed.kind === 'Accepted' ? (sealed.result as { signed: object }).signed : thief.state('input', input);
  const names = random.oneOf([
    { createdBy: people.ada.userId, submittedBy: people.ada.userId, reviewedBy: people.ada.userId },
    { createdBy: people.ada.userId, submittedBy: people.ada.userId, reviewedBy: people.ben.userId },
    { createdBy: 'us-one', submittedBy: 'us-two', reviewedBy: people.ada.userId },
  ]);
  const next = nextManifest(manifest, task as never, manifest.devices[0] as never);
  const review = `/key-stores/${place.storeId}/fleet-operations/${input.groupId}/approve`;
  const evidence = [people.asked(random.oneOf([people.ada, people.stranger]), review, { manifest: manifestDigest(next) })];
  const output = {
    ...{
      type: 'strongroom-fleet-output',
      v: 1,
      groupId: input.groupId,
      inputDigest: '0'.repeat(64),
      outputJsonDigest: '0'.repeat(64),
    },
    ...{
      device: manifest.devices[0],
      manifest: { manifest: next, signatures: [thief.state('manifest', next)] },
      keys: [],
      boxes: [],
    },
    dateMade: new Date().toISOString(),
  };
  const file = canonical({ output, signed: { ...thief.state('output', output), by: manifest.devices[0]?.signingKey } } as never);
  const order = {
    ...{ op: 'recordFleet', requestId: input.groupId, orgId: place.orgId, outputJson: '{}', file, ...names, evidence },
    ...moment(),
  };
  const outcome = await wire.send({ ...order, input: canonical({ input, signed } as never) });
  return [outcome.kind === 'Refused' ? { refused: outcome.reason } : { signed: 0, gain: 'a planted ceremony was recorded' }];
}

export const CEREMONY_ATTACKS: readonly FleetAttack[] = [
  { kind: 'ceremony by one administrator', weight: 2, make: loneAdministrator },
  { kind: 'ceremony of a device of the attacker', weight: 1, make: plantedCeremony },
  { kind: 'charter: rolled back or exchanged', weight: 1, make: otherCharter },
  { kind: 'proof of control as a transaction', weight: 1, make: proofAsTransaction },
];
