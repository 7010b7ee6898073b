/** A deactivated sponsor pays for no new request; an archived one cannot be reactivated. */
export const FEE_SPONSOR_STATUSES = ['Active', 'Deactivated', 'Archived'] as const;
export type FeeSponsorStatus = (typeof FEE_SPONSOR_STATUSES)[number];

const SPONSOR_SUFFIX = '-sponsor';

/** The id under which the signer logs the sponsor's signature for a request; the wallet's own is under the request's id. */
export const sponsorRequestId = (requestId: string): string => `${requestId}${SPONSOR_SUFFIX}`;

/** The request that an id in the signer's log belongs to. */
export const requestBehind = (loggedId: string): string =>
  loggedId.endsWith(SPONSOR_SUFFIX) ? loggedId.slice(0, -SPONSOR_SUFFIX.length) : loggedId;
