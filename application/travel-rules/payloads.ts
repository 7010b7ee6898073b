import type { TravelRulePayload } from '../../domain/travel-rules';
import type { Reader, Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { travelRuleStore } from '../../entities/travel-rules/travel-rule.store';
import { digestOf } from '../../platform/canonical';
import type { SecretBox } from '../../platform/secret-box';
import { transferView } from '../outgoing/transfer-view';

/** The context that a payload is sealed under: it opens for no other transfer. */
const contextOf = (orgId: string, transferId: string): string => `${orgId}:${transferId}`;

/** Stands for the payload wherever an approval or a request is digested: people's names are in no envelope. */
export const payloadDigestOf = (payload: TravelRulePayload): string =>
  digestOf(JSON.parse(JSON.stringify(payload)) as Parameters<typeof digestOf>[0]);

/** Stores the payload of a transfer whose row was just created. */
export async function keepPayload(tx: Tx, secrets: SecretBox, transferId: string, payload: TravelRulePayload): Promise<void> {
  const sealed = secrets.seal(JSON.stringify(payload), contextOf(tx.orgId, transferId));
  await travelRuleStore.addPayload(tx, { transferId, sealed, isCustodial: payload.beneficiaryVASPdid !== undefined });
}

/** Payloads by transfer; one that the present data key does not open is missing. */
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
 * Transfers as permitted readers see them, with their travel rule data, as in the contract's request body. Events, webhooks and approvals
 * reach a wider audience, and carry `transferView` alone.
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

/** As `shownTransfers`, for one. */
export async function shownTransfer(opening: Opening, row: OutgoingEntity) {
  const [shown = transferView(row)] = await shownTransfers(opening, [row]);
  return shown;
}
