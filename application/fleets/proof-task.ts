import { z } from 'zod';
import type { Reader } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import { controlProofMessage } from '../../platform/fleets/control-proofs';
import { FLEET_TASKS, ProofRequest } from '../../platform/fleets/inputs';
import { newId } from '../../platform/ids';
import { badField } from '../request-faults';

/** The row of the group has no messages, because a message contains the date of the row. */
const ProofTask = FLEET_TASKS.ProofOfControl.extend({ requests: z.array(ProofRequest.omit({ message: true })) });
export type ProofTask = z.infer<typeof ProofTask>;

/**
 * A proof for each wallet. Throws `InvalidRequest`, with the place in the list, for a wallet that occurs twice, that is not a
 * wallet of the organisation with a key of this store, that is not active, or that has no address.
 */
export async function proofTask(reader: Reader, storeId: string, walletIds: readonly string[]): Promise<ProofTask> {
  const records = new Map((await walletStore.findMany(reader, walletIds)).map((record) => [record.wallet.id, record]));
  const keyIds = [...records.values()].map(({ key }) => key.id);
  const keys = new Map((await fleetKeyStore.ofKeys(reader, keyIds)).map((key) => [key.keyId, key]));
  const requests = walletIds.map((walletId, at): ProofTask['requests'][number] => {
    const fault = (message: string) => badField(`walletIds.${at}`, message);
    if (walletIds.indexOf(walletId) !== at) throw fault('is in the list already');
    const record = records.get(walletId);
    const key = record && keys.get(record.key.id);
    if (!record || key?.storeId !== storeId) throw fault('must be the id of a wallet whose key lies in this key store');
    const { network, address, status } = record.wallet;
    if (status !== 'Active') throw fault(`must be the id of an active wallet, and this one is ${status}`);
    if (address === null) throw fault('must be the id of a wallet with an address');
    const { curve, index, publicKey } = key;
    return { operationId: newId('fleetOperation'), walletId, network, address, key: { curve, index, publicKey } };
  });
  return { kind: 'ProofOfControl', requests };
}

/** The task of the group for the device. A group that signs requests has its task only once they are collected. */
export function taskOf(group: FleetGroupEntity): unknown {
  if (group.kind !== 'ProofOfControl') return group.task;
  const { kind, requests } = ProofTask.parse(group.task);
  const { id: groupId, orgId, storeId, dateCreated } = group;
  const place = { orgId, storeId, groupId, dateIssued: dateCreated.toISOString() };
  return { kind, requests: requests.map((request) => ({ ...request, message: controlProofMessage(place, request) })) };
}
