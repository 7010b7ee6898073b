import { SIGNATURE_STATUS_OF } from '../../domain/signatures';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';

const given = <K extends string, V>(key: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

const date = (value: Date | null): string | undefined => value?.toISOString();

/** The interface calls this type `SignatureRequest`. Members without a value are omitted, never null. */
export function signatureView(row: SignatureEntity) {
  return {
    id: row.id,
    keyId: row.keyId,
    ...given('walletId', row.walletId),
    requester: { userId: row.requesterUserId, ...given('tokenId', row.requesterTokenId) },
    requestBody: row.requestBody,
    status: SIGNATURE_STATUS_OF[row.state],
    ...given('reason', row.reason),
    ...given('signature', row.signatures?.[0]),
    ...given('signatures', row.signatures && [...row.signatures]),
    ...given('signedData', row.signedData),
    ...given('network', row.network),
    ...given('txHash', row.txHash),
    ...given('fee', row.feeUnits),
    ...given('details', row.details),
    ...given('approvalId', row.approvalId),
    dateRequested: row.dateRequested.toISOString(),
    ...given('datePolicyResolved', date(row.datePolicyResolved)),
    ...given('dateSigned', date(row.dateSigned)),
    ...given('dateConfirmed', date(row.dateConfirmed)),
    ...given('externalId', row.externalId),
  };
}
