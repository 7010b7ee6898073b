import type { TravelRulePayload } from '../../domain/travel-rules';
import type { Reader, Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { travelRuleStore } from '../../entities/travel-rules/travel-rule.store';
import { digestOf } from '../../platform/canonical';
import type { SecretBox } from '../../platform/secret-box';
import { transferView } from '../outgoing/transfer-view';

/** A sealed payload can be opened only for its own transfer. */
const contextOf = (orgId: string, transferId: string): string => `${orgId}:${transferId}`;

/** Stands for the payload in the digests of approvals and requests, so that no envelope contains names of people. */
export const payloadDigestOf = (payload: TravelRulePayload): string =>
  digestOf(JSON.parse(JSON.stringify(payload)) as Parameters<typeof digestOf>[0]);

export async function keepPayload(tx: Tx, secrets: SecretBox, transferId: string, payload: TravelRulePayload): Promise<void> {
  const sealed = secrets.seal(JSON.stringify(payload), contextOf(tx.orgId, transferId));
  await travelRuleStore.addPayload(tx, { transferId, sealed, isCustodial: payload.beneficiaryVASPdid !== undefined });
}

/** A payload that cannot be opened is left out. */
export async function readPayloads(
  reader: Reader,
  secrets: SecretBox,
  orgId: string,
  transferIds: readonly string[],
): Promise<ReadonlyMap<string, TravelRulePayload>> {
  const rows = transferIds.length === 0 ? [] : await travelRuleStore.payloadsOf(reader, transferIds);
  const opened = rows.flatMap(({ transferId, sealed }): readonly (readonly [string, TravelRulePayload])[] => {
    try {
      return [[transferId, JSON.parse(secrets.open(sealed, contextOf(orgId, transferId))) as TravelRulePayload]];
    } catch {
      return [];
    }
  });
  return new Map(opened);
}

type Opening = { readonly reader: Reader; readonly travelRuleSecrets: SecretBox; readonly orgId: string };

/**
 * The views of the transfers with their travel rule data, for readers who may see this data. Events, webhooks and approvals
 * reach more people and contain only `transferView`.
 */
export async function shownTransfers({ reader, travelRuleSecrets, orgId }: Opening, rows: readonly OutgoingEntity[]) {
  const carrying = rows.filter(({ travelRuleDigest }) => travelRuleDigest !== null).map(({ id }) => id);
  const payloads = await readPayloads(reader, travelRuleSecrets, orgId, carrying);
  return rows.map((row) => {
    const view = transferView(row);
    const travelRule = payloads.get(row.id);
    return travelRule === undefined ? view : { ...view, requestBody: { ...view.requestBody, travelRule } };
  });
}

export async function shownTransfer(opening: Opening, row: OutgoingEntity) {
  const [shown = transferView(row)] = await shownTransfers(opening, [row]);
  return shown;
}
