import { createCollector } from '../../activities/fleets/collect';
import { evmDecoderOf } from '../../chains/decoders';
import type { FleetState } from '../../domain/fleets';
import { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import type { OfflineRequestEntity } from '../../entities/fleets/offline-request.entity';
import { offlineRequestStore } from '../../entities/fleets/offline-request.store';
import { KeyEntity } from '../../entities/keys/key.entity';
import type { SignRequest } from '../../platform/fleets/inputs';
import { travellingDigest } from '../../platform/fleets/vouches';
import type { FleetOrders } from '../../signer/protocol';
import { createActor } from './actor';
import { APPROVING } from './approving';
import { ANY_CAUSE } from './causes';
import type { TestDatabase } from './database';
import { addGroup } from './fleet-rows';
import { createFleetSigner, createFleetSteps, type FleetSteps } from './fleet-steps';
import { REFUSING_SIGNER } from './refusing-signer';
import { createTransferSteps, type TransferSteps } from './transfer-steps';

export const OFFLINE_STORE_ID = 'ks-1';
type VouchTransferOrder = FleetOrders['vouchTransfer'];

export type OfflineSteps = TransferSteps & {
  /** The orders for which the signer has vouched. */
  readonly vouchedOrders: readonly VouchTransferOrder[];
  /** The steps of a group. */
  readonly fleet: FleetSteps;
  /** Throws to refuse the order. By default, vouches for every order. */
  refuse: (order: VouchTransferOrder) => void;
  /** A transfer that waits for the device. Returns its id. */
  readonly atDevice: () => Promise<string>;
  /** Adds an open group to the store. Returns its id. */
  readonly group: (manifestBefore?: string) => Promise<string>;
  readonly endGroup: (groupId: string, status: Extract<FleetState, 'Canceled'>) => Promise<void>;
  readonly collect: (groupId: string, roomBytes?: number) => Promise<readonly SignRequest[]>;
  readonly request: (id: string) => Promise<OfflineRequestEntity>;
};

/** The steps of transfers whose wallet has a key of an offline store. The test plays signer and device. */
export async function createOfflineSteps({ db, createOrganization }: TestDatabase): Promise<OfflineSteps> {
  const steps = await createTransferSteps(db, await createOrganization());
  const { orgId } = steps;
  const actor = await createActor(db, orgId);
  const genesis = await addGroup(db, actor, OFFLINE_STORE_ID);
  const end = (id: string, status: 'Canceled') =>
    db.withOrg(orgId, async (tx) => {
      await tx.update(FleetGroupEntity, { id }, { status, dateCanceled: new Date(), reason: 'over' });
    });
  await end(genesis.id, 'Canceled');
  await db.withOrg(orgId, async (tx) => {
    const key = await tx.row(KeyEntity, '');
    if (!key?.publicKey) throw new Error('the wallet has a key');
    await tx.update(KeyEntity, { id: key.id }, { storeId: OFFLINE_STORE_ID, sealed: null, dataKeyId: null });
    await fleetKeyStore.add(tx, OFFLINE_STORE_ID, genesis.id, [{ curve: 'secp256k1', index: 0, publicKey: key.publicKey }]);
    await fleetKeyStore.take(tx, OFFLINE_STORE_ID, 'secp256k1', key.id);
  });
  const vouchedOrders: VouchTransferOrder[] = [];
  const vouchTransfer = async (order: VouchTransferOrder) => {
    offline.refuse(order);
    vouchedOrders.push(order);
    const digest = `0x${Buffer.from(evmDecoderOf('EthereumSepolia').digestOf(order.bytesHex)).toString('hex')}`;
    const signed = { by: '00'.repeat(32), signature: Buffer.alloc(64).toString('base64') };
    return { vouched: { vouch: travellingDigest(order), signed }, digestHex: digest, messages: [digest] };
  };
  const signer = {
    ...REFUSING_SIGNER,
    vouchTransfer,
    withdraw: () => steps.withdraw(),
    signPayload: () => Promise.reject(new Error('no payload is signed here')),
  };
  const collect = createCollector({ ...APPROVING, causes: ANY_CAUSE, db, signer });
  const sealing = createFleetSigner();

  const offline: OfflineSteps = Object.assign(steps, {
    vouchedOrders,
    fleet: createFleetSteps(db, { ...sealing, ...signer, sealFleetInput: sealing.sealFleetInput }),
    refuse: () => undefined,
    atDevice: async () => {
      const id = await steps.transfer();
      const words = [await steps.prepare(id), await steps.signTransfer(id)];
      if (words.join() !== 'Ready,Offline') throw new Error(`the transfer went ${words.join()}`);
      return id;
    },
    group: async (manifestBefore = null as string | null) =>
      (await addGroup(db, actor, OFFLINE_STORE_ID, { kind: 'OnchainSign', manifestBefore })).id,
    endGroup: end,
    collect: (groupId: string, roomBytes?: number) => collect({ orgId, storeId: OFFLINE_STORE_ID, groupId }, roomBytes),
    request: async (id: string) =>
      (await offlineRequestStore.find(db.read(orgId), id)) ?? Promise.reject(new Error(`no row of ${id}`)),
  });
  return offline;
}
