import type { CeremonyKind } from '../../../domain/fleets';
import type { FleetCheck } from '../../../platform/fleets/checks';
import type { FleetOutputJson } from '../../../platform/fleets/outputs';
import { ceremonyOutput, type MadeOutput } from '../../support/fleet-outputs';
import { createParty, provenKey } from '../../support/fleet-parties';

import {
  CEREMONIES,
  device,
  first,
  fleet,
  genesis,
  genesisInput,
  head,
  joiningDevice,
  joiningOperator,
  joiningProvisioner,
  json,
  registration,
  remade,
  stranger,
  whole,
} from './ceremonies';

type Fault = readonly [title: string, check: FleetCheck, kind: CeremonyKind, change: (made: MadeOutput) => void];

/** Each fault with the check that refuses it. */
export const FAULTS: readonly Fault[] = [
  ['a member that the form does not have', 'Form', 'Genesis', (made) => Object.assign(made.outputJson, { more: 1 })],
  ['a file with a member that the form does not have', 'Form', 'Genesis', (made) => Object.assign(made.output, { more: 1 })],
  ['another organisation', 'Organisation', 'Genesis', (made) => Object.assign(made.outputJson, { org_id: 'or-b' })],
  ['another store', 'Store', 'Genesis', (made) => Object.assign(made.outputJson, { keystore_id: 'ks-b' })],
  ['another fleet', 'Fleet', 'Genesis', (made) => Object.assign(made.outputJson, { fleet_id: 'fl-b' })],
  ['another label', 'Fleet', 'Genesis', (made) => Object.assign(made.outputJson, { fleet_label: 'Vault two' })],
  ['another group in the JSON part', 'Group', 'Genesis', (made) => Object.assign(made.outputJson, { group_id: 'fg-b' })],
  ['another group in the file', 'Group', 'Genesis', (made) => Object.assign(made.output, { groupId: 'fg-b' })],
  ['another signer', 'SignerIdentity', 'Genesis', (made) => Object.assign(made.outputJson, { online_domain: 'other' })],
  ['another input', 'InputDigest', 'Genesis', (made) => Object.assign(made.output, { inputDigest: '0'.repeat(64) })],
  ['a device that signs with another key', 'DeviceSignature', 'Genesis', (made) => Object.assign(made, { device: stranger })],
  [
    'a provisioner as the device',
    'DeviceIdentity',
    'Genesis',
    (made) => Object.assign(made.output, { device: first(fleet.provisioners).card }),
  ],
  [
    'an operation that was not asked for',
    'Operation',
    'Genesis',
    (made) => {
      json(made).outputs = { 'op-2': first(Object.values(json(made).outputs)) };
    },
  ],
  [
    'a registration of another kind',
    'Kind',
    'KeyHarvest',
    (made) => {
      json(made).outputs = (ceremonyOutput({ fleet, ...CEREMONIES.AddMacUser }).outputJson as FleetOutputJson).outputs;
    },
  ],
  ['no manifest', 'ManifestChain', 'Genesis', (made) => Object.assign(made.output, { manifest: null })],
  [
    'a device with another serial number',
    'Serial',
    'Genesis',
    (made) => {
      const other = createParty('Device', 'D-7');
      Object.assign(made.output, { device: other.card });
      made.device = other;
    },
  ],
  ['a manifest of another organisation', 'Organisation', 'Genesis', (made) => remade(made, { orgId: 'or-b' }, [device])],
  ['a manifest of another store', 'Store', 'Genesis', (made) => remade(made, { storeId: 'ks-b' }, [device])],
  ['a manifest of another fleet', 'Fleet', 'Genesis', (made) => remade(made, { fleetId: 'fl-b' }, [device])],
  ['a lower threshold', 'Threshold', 'AddProvisioner', (made) => remade(made, { threshold: 2 })],
  ['a higher threshold', 'Threshold', 'Genesis', (made) => remade(made, { threshold: 3 }, [device])],
  [
    'another number of provisioners',
    'Members',
    'Genesis',
    (made) => remade(made, { provisioners: whole(made).provisioners.slice(1) }, [device]),
  ],
  [
    'two operators at a genesis',
    'Members',
    'Genesis',
    (made) => remade(made, { operators: [...whole(made).operators, joiningOperator.card] }, [device]),
  ],
  [
    'one card for two provisioners',
    'Members',
    'Genesis',
    (made) => remade(made, { provisioners: whole(made).provisioners.map(() => first(whole(made).provisioners)) }, [device]),
  ],
  [
    'a second device at a genesis',
    'Members',
    'Genesis',
    (made) => remade(made, { devices: [...whole(made).devices, joiningDevice.card] }, [device]),
  ],
  [
    'a provisioner who is exchanged',
    'Members',
    'KeyHarvest',
    (made) => remade(made, { provisioners: [...head.provisioners.slice(1), joiningProvisioner.card] }),
  ],
  [
    'an operator added by a clone',
    'Members',
    'Clone',
    (made) => remade(made, { operators: [...head.operators, joiningOperator.card] }),
  ],
  [
    'a new member with another serial number',
    'Serial',
    'AddProvisioner',
    (made) => remade(made, { provisioners: [...head.provisioners, createParty('Provisioner', 'P-8').card] }),
  ],
  ['a manifest that skips one', 'ManifestChain', 'KeyHarvest', (made) => remade(made, { n: 2 })],
  ['a manifest on another branch', 'ManifestChain', 'KeyHarvest', (made) => remade(made, { previous: '1'.repeat(64) })],
  ['another master secret', 'MasterCommitment', 'AddProvisioner', (made) => remade(made, { masterCommitment: '1'.repeat(64) })],
  ['a range that grows by more', 'Ranges', 'KeyHarvest', (made) => remade(made, { ranges: { secp256k1: 6, ed25519: 6 } })],
  [
    'a range that grows with a provisioner',
    'Ranges',
    'AddProvisioner',
    (made) => remade(made, { ranges: { ...head.ranges, ed25519: 9 } }),
  ],
  [
    'a manifest that the device did not sign',
    'ManifestSignature',
    'AddProvisioner',
    (made) => remade(made, {}, fleet.provisioners),
  ],
  [
    'a manifest with the signature of a stranger',
    'ManifestSignature',
    'AddProvisioner',
    (made) => remade(made, {}, [device, ...fleet.provisioners, stranger]),
  ],
  [
    'one provisioner who signs twice',
    'ManifestSignature',
    'AddProvisioner',
    (made) => remade(made, {}, [device, first(fleet.provisioners), first(fleet.provisioners)]),
  ],
  ['a clone that no device signed', 'ManifestSignature', 'Clone', (made) => remade(made, {}, fleet.provisioners)],
  [
    'a harvest that another device of the fleet signed',
    'ManifestSignature',
    'KeyHarvest',
    (made) => remade(made, {}, [joiningDevice, ...fleet.operators]),
  ],
  [
    'a clone with one provisioner of two',
    'ProvisionerQuorum',
    'Clone',
    (made) => remade(made, {}, [device, first(fleet.provisioners)]),
  ],
  [
    'a provisioner added by one of two',
    'ProvisionerQuorum',
    'AddProvisioner',
    (made) => remade(made, {}, [device, first(fleet.provisioners)]),
  ],
  ['a harvest without its operator', 'OperatorSignature', 'KeyHarvest', (made) => remade(made, {}, [device])],
  [
    'an operator added by no operator',
    'OperatorSignature',
    'AddMacUser',
    (made) => remade(made, {}, [device, first(fleet.provisioners)]),
  ],
  [
    'a clone by a device that is not the target',
    'DeviceIdentity',
    'Clone',
    (made) => {
      Object.assign(made.output, { device: device.card });
      made.device = device;
    },
  ],
  [
    'a harvest by another device with the serial number',
    'DeviceIdentity',
    'KeyHarvest',
    (made) => {
      Object.assign(made.output, { device: stranger.card });
      made.device = stranger;
    },
  ],
  [
    'a registration of another key',
    'Registration',
    'Genesis',
    (made) => Object.assign(registration(made), { hsm_identity_key: '1'.repeat(64) }),
  ],
  [
    'a registration of other provisioners',
    'Registration',
    'Genesis',
    (made) => Object.assign(registration(made), { provisioners: {} }),
  ],
  [
    'a registration of another mode',
    'Registration',
    'Genesis',
    (made) => Object.assign(registration(made), { ceremony_mode: 'hsm' }),
  ],
  [
    'a clone registered for an unknown operator',
    'Registration',
    'Clone',
    (made) => Object.assign(registration(made), { mac_target_serial: 'M-7' }),
  ],
  [
    'a harvest registered with another start',
    'Registration',
    'KeyHarvest',
    (made) => Object.assign(registration(made)['key_harvest'] as object, { ed25519: 1 }),
  ],
  [
    'an operator registered with another key',
    'Registration',
    'AddMacUser',
    (made) => Object.assign(registration(made), { mac_se_wrap_key_pub_key: '1'.repeat(64) }),
  ],
  ['a missing share', 'Boxes', 'Genesis', (made) => made.output.boxes.pop()],
  [
    'two shares for one provisioner',
    'Boxes',
    'Genesis',
    (made) => Object.assign(made.output.boxes[1] as object, { provisioner: made.output.boxes[0]?.provisioner }),
  ],
  [
    'one share for two provisioners',
    'Boxes',
    'AddProvisioner',
    (made) => Object.assign(made.output.boxes[1] as object, { shareDigest: made.output.boxes[0]?.shareDigest }),
  ],
  ['shares with a harvest', 'Boxes', 'KeyHarvest', (made) => Object.assign(made.output, { boxes: genesis().output.boxes })],
  [
    'keys with a new provisioner',
    'Excess',
    'AddProvisioner',
    (made) => Object.assign(made.output, { keys: genesis().output.keys }),
  ],
  ['keys with a new operator', 'Excess', 'AddMacUser', (made) => Object.assign(made.output, { keys: genesis().output.keys })],
  ['fewer keys', 'Counts', 'Genesis', (made) => made.output.keys.pop()],
  ['more keys', 'Counts', 'Genesis', (made) => made.output.keys.push(provenKey(fleet.master, 'ed25519', 2, genesisInput))],
  [
    'a key of the other curve',
    'Counts',
    'Genesis',
    (made) => made.output.keys.splice(4, 1, provenKey(fleet.master, 'secp256k1', 3, genesisInput)),
  ],
  [
    'an index that is left out',
    'KeyRange',
    'Genesis',
    (made) => made.output.keys.splice(4, 1, provenKey(fleet.master, 'ed25519', 2, genesisInput)),
  ],
  [
    'an index that is used again',
    'KeyRange',
    'KeyHarvest',
    (made) => made.output.keys.splice(0, 1, provenKey(fleet.master, 'secp256k1', 0, CEREMONIES.KeyHarvest.input)),
  ],
  [
    'one key at two indices',
    'DuplicateKey',
    'Genesis',
    (made) => made.output.keys.splice(1, 1, { ...first(made.output.keys), index: 1 }),
  ],
  [
    'a proof of another key',
    'ProofOfPossession',
    'Genesis',
    (made) => Object.assign(first(made.output.keys), { proof: made.output.keys[1]?.proof }),
  ],
  [
    'a proof of another group',
    'ProofOfPossession',
    'Genesis',
    (made) => made.output.keys.splice(0, 1, provenKey(fleet.master, 'secp256k1', 0, { ...genesisInput, groupId: 'fg-b' })),
  ],
  [
    'a proof of another store',
    'ProofOfPossession',
    'KeyHarvest',
    (made) =>
      made.output.keys.splice(0, 1, provenKey(fleet.master, 'secp256k1', 3, { ...CEREMONIES.KeyHarvest.input, storeId: 'ks-b' })),
  ],
  [
    'a clone with another master secret',
    'Challenge',
    'Clone',
    (made) => made.output.keys.splice(0, 1, provenKey('other', 'secp256k1', 1, CEREMONIES.Clone.input)),
  ],
  ['a clone that proves fewer keys', 'Counts', 'Clone', (made) => made.output.keys.pop()],
  [
    'a clone with the proof of another group',
    'ProofOfPossession',
    'Clone',
    (made) =>
      made.output.keys.splice(0, 1, provenKey(fleet.master, 'secp256k1', 1, { ...CEREMONIES.Clone.input, groupId: 'fg-b' })),
  ],
];
