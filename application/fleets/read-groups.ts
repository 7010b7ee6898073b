import type { FleetState } from '../../domain/fleets';
import type { Reader } from '../../entities/database';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { type Card, cardDigest } from '../../platform/fleets/cards';
import { manifestDigest } from '../../platform/fleets/manifests';
import { signedFileIn } from '../../platform/fleets/received-output';
import { shortDigest } from '../../platform/fleets/statement';
import { proofsOf } from './control-proofs';
import { type FleetGroupView, fleetGroupView, groupOf, groupViewOf, reviewersMissing } from './groups';
import { offlineStoreOf } from './offline-stores';

type Page = { readonly storeId: string; readonly status: FleetState | undefined; readonly after: string | undefined };

/** Newest first, plus one group if there is a next page. Throws `NotFound` for a store of another kind or organisation. */
export async function listGroups(reader: Reader, { storeId, ...page }: Page, limit: number): Promise<FleetGroupView[]> {
  await offlineStoreOf(reader, storeId);
  const rows = await fleetGroupStore.page(reader, { storeId, ...page }, limit);
  const operations = await fleetGroupStore.operationsOf(
    reader,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => fleetGroupView(row, operations));
}

const memberOf = (card: Card) => ({ serial: card.serial, fingerprint: shortDigest(cardDigest(card)) });

/** The content of the accepted output, for the reviewer; undefined before an output is accepted. */
async function proposalOf(reader: Reader, { id, outputDigest }: FleetGroupEntity) {
  const output = outputDigest === null ? undefined : await fleetOutputStore.inState(reader, id, 'Accepted');
  if (!output || outputDigest === null) return undefined;
  const { device, manifest: signed, keys } = signedFileIn(output.file ?? '').output;
  if (signed === null) return undefined;
  const { manifest } = signed;
  return {
    ...{ outputDigest, device: memberOf(device) },
    manifest: {
      ...{ digest: manifestDigest(manifest), n: manifest.n, threshold: manifest.threshold },
      ...{ devices: manifest.devices.map(memberOf), provisioners: manifest.provisioners.map(memberOf) },
      operators: manifest.operators.map(memberOf),
      ...{ numSecp256k1: manifest.ranges.secp256k1, numEd25519: manifest.ranges.ed25519 },
    },
    newKeys: keys.length,
  };
}

const reviewView = ({ reviewedBy, dateReviewed }: FleetGroupEntity['earlierReviews'][number]) => ({ reviewedBy, dateReviewed });

/** Throws `NotFound` for a group of another store or organisation. */
export async function readGroup(reader: Reader, storeId: string, groupId: string) {
  const store = await offlineStoreOf(reader, storeId);
  const row = await groupOf(reader, storeId, groupId);
  const [view, proposal, proofs] = await Promise.all([
    groupViewOf(reader, groupId),
    proposalOf(reader, row),
    proofsOf(reader, row),
  ]);
  return {
    ...view,
    endsAt: row.endsAt.toISOString(),
    ...(row.hindrance === null ? {} : { hindrance: row.hindrance }),
    ...(row.status === 'InReview' ? { reviewersMissing: reviewersMissing(store, row) } : {}),
    ...(row.earlierReviews.length === 0 ? {} : { earlierReviews: row.earlierReviews.map(reviewView) }),
    ...(proposal === undefined ? {} : { proposal }),
    ...(proofs === undefined ? {} : { proofs }),
  };
}
