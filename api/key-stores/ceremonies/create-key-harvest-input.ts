import { z } from 'zod';
import { createCeremony } from '../../../application/fleets/create-group';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { Abandons, Archive, INPUT_STATUSES, Keys, MemberSerial } from './schemas';

export const createKeyHarvestInput = operation({
  id: 'createKeyHarvestInput',
  method: 'post',
  path: '/key-stores/:storeId/key-harvest/input',
  tag: 'signers',
  summary: 'Begin a harvest of new keys',
  description:
    'A device derives new keys, which are usable once the group is approved. The response is the archive for the device, as text. ' +
    INPUT_STATUSES,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Keys:Harvest',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({
    kind: z.literal('KeyHarvest'),
    hsmTargetSerial: MemberSerial,
    macTargetSerial: MemberSerial.describe("The operator's machine, a member of the fleet"),
    macTargetUsername: z.string().min(1).max(64).describe('The operator, as the archive and the device show the name'),
    numSecp256k1: Keys.exactOptional(),
    numEd25519: Keys.exactOptional(),
    abandons: Abandons,
  }),
  response: Archive,
  handle: ({ params, body, authority }, services) => createCeremony(services, authority, params.storeId, body),
});
