import { lapseGroup, readStanding, remindOfGroup } from '../../application/fleets/standing';
import type { FleetGroupRef, FleetStanding } from '../../domain/fleet-groups';
import type { Database } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';

type Dependencies = { readonly db: Database; readonly mailContents: SecretBox };

export function createFleetGroupActivities({ db, mailContents }: Dependencies) {
  return {
    readFleetGroup: ({ orgId, groupId }: FleetGroupRef): Promise<FleetStanding> =>
      db.withOrg(orgId, (tx) => readStanding(tx, groupId)),

    lapseFleetGroup: ({ orgId, groupId }: FleetGroupRef): Promise<FleetStanding> =>
      db.withOrg(orgId, (tx) => lapseGroup(tx, groupId)),

    remindOfFleetGroup: ({ orgId, groupId }: FleetGroupRef): Promise<FleetStanding> =>
      db.withOrg(orgId, (tx) => remindOfGroup(tx, { mailContents }, groupId)),
  };
}
