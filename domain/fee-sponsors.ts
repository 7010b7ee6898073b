/** A deactivated sponsor pays for no new requests. An archived sponsor cannot be reactivated. */
export const FEE_SPONSOR_STATUSES = ['Active', 'Deactivated', 'Archived'] as const;
export type FeeSponsorStatus = (typeof FEE_SPONSOR_STATUSES)[number];

const SPONSOR_SUFFIX = '-sponsor';

/**
 * The id under which the signer logs the sponsor's signature for a request. The signer logs the wallet's own signature under
 * the id of the request.
 */
export const sponsorRequestId = (requestId: string): string => `${requestId}${SPONSOR_SUFFIX}`;

/** The id of the request to which an id in the signer's log belongs. */
export const requestBehind = (loggedId: string): string =>
  loggedId.endsWith(SPONSOR_SUFFIX) ? loggedId.slice(0, -SPONSOR_SUFFIX.length) : loggedId;
