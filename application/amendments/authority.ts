import { type AmendmentRecord, amendmentStore } from '../../entities/charters/amendment.store';
import type { CharterEntity } from '../../entities/charters/charter.entity';
import { charterStore } from '../../entities/charters/charter.store';
import type { Reader } from '../../entities/database';
import { readCharterText } from './charter-text';
import { amendmentView } from './view';

const WAITING_MAX = 100;
const REFUSED_MAX = 20;
const shown = (rows: readonly AmendmentRecord[]) => rows.map(amendmentView);

/**
 * The charter that the service last read from the signer, and the waiting and refused amendments, which this charter does not
 * contain.
 */
export async function authorityOf(reader: Reader) {
  const [charter, waiting, refused] = await Promise.all([
    charterStore.find(reader),
    amendmentStore.waiting(reader, WAITING_MAX),
    amendmentStore.page(reader, { status: 'Refused', after: undefined, limit: REFUSED_MAX }),
  ]);
  return {
    charter: charter === undefined ? null : charterView(charter),
    waiting: shown(waiting),
    refused: shown(refused.slice(0, REFUSED_MAX)),
  };
}

/** Newest first. If there is a next page, returns one row more than `limit`. */
export async function listAmendments(reader: Reader, page: Parameters<typeof amendmentStore.page>[1]) {
  return shown(await amendmentStore.page(reader, page));
}

function charterView({ sequence, digest, text, dateSeen }: CharterEntity) {
  const { wallets, seen = null, mainnets = [], exports = null, endUsers = null, ...content } = readCharterText(text);
  return {
    sequence,
    digest,
    dateSeen: dateSeen.toISOString(),
    ...content,
    wallets: wallets.length,
    seen,
    mainnets,
    exports,
    endUsers,
  };
}
