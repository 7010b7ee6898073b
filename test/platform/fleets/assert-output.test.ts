import type { CeremonyKind } from '../../../domain/fleets';
import { assertCeremonyOutput } from '../../../platform/fleets/assert-output';
import { SignedInput } from '../../../platform/fleets/inputs';
import { manifestDigest } from '../../../platform/fleets/manifests';
import type { FleetOutputJson } from '../../../platform/fleets/outputs';
import {
  ceremonyOutput,
  createFleet,
  type Fleet,
  fleetInput,
  genesisTask,
  type MadeOutput,
  sealOutput,
} from '../../support/fleet-outputs';
import { keyOf } from '../../support/fleet-parties';

import { CEREMONIES, checkFailed, device, first, fleet, genesis, head, joiningDevice, KEYS, remade, verify } from './ceremonies';
import { FAULTS } from './output-faults';

describe.each(Object.keys(CEREMONIES) as CeremonyKind[])('a genuine output of %s', (kind) => {
  test('is accepted, and only new keys are returned', async () => {
    const made = ceremonyOutput({ fleet, ...CEREMONIES[kind] });
    const { manifest, keys } = await verify(kind, made);
    expect(manifest).toEqual(made.output.manifest);
    expect(keys).toEqual(kind === 'Clone' ? [] : made.output.keys);
  });
});

test.each(FAULTS)('%s is refused by the check %s', async (_title, check, kind, change) => {
  const made = structuredCloneOf(ceremonyOutput({ fleet, ...CEREMONIES[kind] }));
  change(made);
  expect(await checkFailed(verify(kind, made))).toBe(check);
});

const structuredCloneOf = ({ device: party, ...parts }: MadeOutput): MadeOutput => ({ ...structuredClone(parts), device: party });

describe('the text of the file', () => {
  const { outputJson, file } = sealOutput(genesis());
  const received = (text: string) =>
    assertCeremonyOutput({ ...CEREMONIES.Genesis, outputJson, file: text, knownKeys: new Set() });

  test('has one form', async () => {
    expect(await checkFailed(received(file))).toBe('accepted');
    for (const text of [` ${file}`, `${file}\n`, file.replace('{', '{"a":1,'), file.replace('"v":1', '"v":1.0'), ''])
      expect(await checkFailed(received(text))).toBe('Form');
  });

  test('is refused if a member appears twice', async () => {
    expect(await checkFailed(received(file.replace('"signed":', '"signed":{},"signed":')))).toBe('Form');
  });

  test('is signed by the device as a whole', async () => {
    expect(await checkFailed(received(file.replace('"dateMade":"2026-11-30T00', '"dateMade":"2026-11-30T01')))).toBe(
      'DeviceSignature',
    );
  });

  test('has a length', async () => {
    expect(await checkFailed(received(file.padEnd(4 * 1024 * 1024, ' ')))).toBe('Form');
    expect(await checkFailed(received(file.padEnd(4 * 1024 * 1024 + 1, ' ')))).toBe('Size');
  });

  test('belongs to the JSON part', async () => {
    const changed = { ...(outputJson as FleetOutputJson) };
    Reflect.deleteProperty(changed, 'group_id');
    const both = assertCeremonyOutput({ ...CEREMONIES.Genesis, outputJson: changed, file, knownKeys: new Set() });
    expect(await checkFailed(both)).toBe('OutputDigest');
  });
});

test('a key that the service knows is not registered twice', async () => {
  const known = new Set([keyOf(fleet.master, 'ed25519', 1).publicKey]);
  expect(await checkFailed(verify('Genesis', genesis(), known))).toBe('KnownKey');
});

test('a quorum and the new device make a clone if the source is lost', async () => {
  const made = ceremonyOutput({ fleet, ...CEREMONIES.Clone });
  remade(made, {}, [joiningDevice, ...fleet.provisioners.slice(0, 2)]);
  expect(await checkFailed(verify('Clone', made))).toBe('accepted');
  remade(made, {}, [joiningDevice, first(fleet.provisioners)]);
  expect(await checkFailed(verify('Clone', made))).toBe('ProvisionerQuorum');
});

test('an operator can be added by the provisioners if every operator is lost', async () => {
  const made = ceremonyOutput({ fleet, ...CEREMONIES.AddMacUser });
  remade(made, {}, [device, ...fleet.provisioners.slice(0, 2)]);
  expect(await checkFailed(verify('AddMacUser', made))).toBe('accepted');
});

test('an input that does not continue the committed manifest has no output', async () => {
  const made = ceremonyOutput({ fleet, ...CEREMONIES.KeyHarvest });
  const other = { ...head, threshold: 3 };
  const parts = { input: CEREMONIES.KeyHarvest.input, ...sealOutput(made), knownKeys: new Set<string>() };
  expect(manifestDigest(other)).not.toBe(manifestDigest(head));
  expect(await checkFailed(assertCeremonyOutput({ ...parts, head: other }))).toBe('Head');
  expect(await checkFailed(assertCeremonyOutput({ ...parts, head: null }))).toBe('Head');
});

test('a genesis is refused by a store that has a manifest', async () => {
  const input = fleetInput(genesisTask(KEYS), head);
  const made = ceremonyOutput({ fleet, input, head: null });
  expect(await checkFailed(assertCeremonyOutput({ input, head, ...sealOutput(made), knownKeys: new Set() }))).toBe('Head');
});

test('the output of another fleet of the same serial numbers is refused', async () => {
  const other: Fleet = createFleet();
  const made = ceremonyOutput({ fleet: other, input: CEREMONIES.KeyHarvest.input, head });
  expect(await checkFailed(verify('KeyHarvest', made))).toBe('DeviceIdentity');
});

test('the input of the tests has the form of the protocol', () => {
  for (const { input } of Object.values(CEREMONIES)) {
    const signed = { by: device.by, signature: device.state('input', input).signature };
    expect(SignedInput.parse({ input, signed })).toEqual({ input, signed });
  }
});
