import { freezeInTheWay, reachOfWallet } from '../../../application/freezes/active-freezes';
import { findNetwork } from '../../../chains/networks';
import { AppError } from '../../../domain/errors';
import type { LaneLook, LaneMemory, LaneRef } from '../../../domain/lanes';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { familyStepsOf } from '../families';
import type { LaneLooking } from '../family-forms';

type Dependencies = Pick<LaneLooking, 'db' | 'readers' | 'gateways'>;

export function createLaneActivities({ db, readers, gateways }: Dependencies) {
  const isFrozen = async (orgId: string, { network, address }: LaneLooking['lane']): Promise<boolean> => {
    const reader = db.read(orgId);
    const wallet = await reader.row(WalletEntity, 'WHERE t.network = $1 AND t.address = $2', [network, address]);
    return wallet !== undefined && (await freezeInTheWay(reader, reachOfWallet(wallet))) !== undefined;
  };

  return {
    /** A repeated run sends the same bytes and finds the records of the earlier run. */
    async careForLane({ orgId, network: name, address, memory }: LaneRef & { readonly memory?: LaneMemory }): Promise<LaneLook> {
      const network = findNetwork(name);
      if (!network) throw new AppError('NetworkNotEnabled', `${name} has no lanes`, { network: name });
      const lane = { network: network.name, address };
      const looking = { db, readers, gateways, orgId, lane, memory, isFrozen: () => isFrozen(orgId, lane) };
      return familyStepsOf(lane.network).careForLane(looking);
    },
  };
}
