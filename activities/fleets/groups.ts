import { lapseGroup, readStanding, remindOfGroup } from '../../application/fleets/standing';
import type { FleetGroupRef, FleetStanding } from '../../domain/fleet-groups';
import type { Database } from '../../entities/database';

export function createFleetGroupActivities({ db }: { readonly db: Database }) {
  return {
    readFleetGroup: ({ orgId, groupId }: FleetGroupRef): Promise<FleetStanding> =>
      db.withOrg(orgId, (tx) => readStanding(tx, groupId)),

    lapseFleetGroup: ({ orgId, groupId }: FleetGroupRef): Promise<FleetStanding> =>
      db.withOrg(orgId, (tx) => lapseGroup(tx, groupId)),

    remindOfFleetGroup: ({ orgId, groupId }: FleetGroupRef): Promise<FleetStanding> =>
      db.withOrg(orgId, (tx) => remindOfGroup(tx, groupId)),
  };
}
