/** A deactivated sponsor pays for no new requests. An archived sponsor cannot be reactivated. */
export const FEE_SPONSOR_STATUSES = ['Active', 'Deactivated', 'Archived'] as const;
export type FeeSponsorStatus = (typeof FEE_SPONSOR_STATUSES)[number];

const SPONSOR_SUFFIX = '-sponsor';

/** The id of the sponsor's signature in the signer's log. In the log, the wallet's own signature has the id of the request. */
export const sponsorRequestId = (requestId: string): string => `${requestId}${SPONSOR_SUFFIX}`;

export const requestBehind = (loggedId: string): string =>
  loggedId.endsWith(SPONSOR_SUFFIX) ? loggedId.slice(0, -SPONSOR_SUFFIX.length) : loggedId;
