import { equalPaymentOf, hidesAmount, STATUS_OF } from '../../domain/transfers';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { quotesView } from './quote-view';

const optional = <K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } =>
  (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

const date = (value: Date | null): string | undefined => value?.toISOString();

/** The interface calls this type `TransferRequest`. Members without a value are omitted, never null. */
export function transferView(row: OutgoingEntity) {
  return {
    id: row.id,
    walletId: row.walletId,
    network: row.network,
    requester: { userId: row.requesterUserId, ...optional('tokenId', row.requesterTokenId) },
    requestBody: row.requestBody,
    metadata: {
      asset: {
        ...optional('symbol', row.assetSymbol),
        ...optional('decimals', row.assetDecimals),
        verified: row.assetVerified,
        ...optional('quotes', quotesView(row.assetQuotes)),
      },
    },
    status: STATUS_OF[row.state],
    ...optional('reason', row.reason),
    ...optional('txHash', row.txHash),
    ...optional('fee', row.feeUnits),
    ...optional('approvalId', row.approvalId),
    dateRequested: row.dateRequested.toISOString(),
    ...optional('datePolicyResolved', date(row.datePolicyResolved)),
    ...optional('dateBroadcasted', date(row.dateBroadcasted)),
    ...optional('dateConfirmed', date(row.dateConfirmed)),
    ...optional('externalId', row.externalId),
    ...optional('feeSponsorId', row.feeSponsorId),
    ...optional('replacementId', row.replacedById ?? row.replacesId),
    ...optional('details', detailsOf(row)),
  };
}

function detailsOf(row: OutgoingEntity) {
  const told = {
    ...stageOf(row),
    ...(row.madeByService ? { madeByService: true as const } : {}),
    ...optional('withheldUnits', row.options.withheldUnits),
    ...optional('feeCurrency', row.options.feeCurrency),
    ...(hidesAmount(row.assetKind) ? { amountMoved: 'Unknown' as const } : {}),
    ...optional('encryptedAmount', row.encryptedAmount?.handle),
    ...optional('cancelsSignature', row.cancelsSignatureId),
    ...optional('paysFor', row.paysForId),
    ...optional('paidForBy', row.paidForById),
  };
  return Object.keys(told).length === 0 ? undefined : told;
}

function stageOf(row: OutgoingEntity) {
  if (row.state === 'Signing') return { stage: row.abortAsked === null ? ('Constructed' as const) : ('Aborting' as const) };
  const equal = equalPaymentOf(row);
  return equal && { stage: 'EqualPayment' as const, equalTo: equal.equalToId, until: equal.until.toISOString() };
}
