import { z } from 'zod';
import { createCeremony } from '../../../application/fleets/create-group';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { Abandons, Archive, INPUT_STATUSES, Keys, MemberSerial, Provisioners } from './schemas';

export const createGenesisInput = operation({
  id: 'createGenesisInput',
  method: 'post',
  path: '/key-stores/:storeId/genesis/input',
  tag: 'signers',
  summary: 'Begin the genesis of a fleet',
  description:
    'The device makes the master secret of the key store, shares it among the provisioners, and derives the first keys; the archive tells it how many. The response is the archive for the device, as text. ' +
    INPUT_STATUSES,
  unusedMembers: ['hsmGenesisFirmwareVersion'],
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Create',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({
    kind: z.literal('Genesis'),
    numProvisioners: Provisioners.describe('The number of holders of a share'),
    threshold: Provisioners.exactOptional().describe(
      'The shares that recover the master secret; by default more than half, at least 2',
    ),
    numSecp256k1: Keys,
    numEd25519: Keys,
    hsmGenesisSerial: MemberSerial,
    hsmGenesisFirmwareVersion: z
      .enum(['2.2', '2.4'])
      .exactOptional()
      .describe('Has no effect: the devices have no hardware module'),
    abandons: Abandons,
  }),
  response: Archive,
  handle: ({ params, body, authority }, services) => createCeremony(services, authority, params.storeId, body),
});
