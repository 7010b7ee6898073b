import { type Removal, type Restriction, restrictionDigest } from '../../signer/charters/restriction';

/** What a restriction says, for the person who signs it and for the operator who hands it over. */
export function restrictionLines(text: string, { organizationId, signerId, charter, dateIssued, by, removes }: Restriction) {
  return [
    `Restriction   ${restrictionDigest(text)}`,
    `Organisation  ${organizationId}`,
    `Signer        ${signerId}`,
    `Of charter    ${charter}`,
    `Issued        ${dateIssued}`,
    `By            ${by}`,
    ...removes.map((removal) => `Removes       ${removalWords(removal)}`),
  ];
}

const removalWords = ({ userId, credentialId }: Removal): string =>
  credentialId === undefined ? `the member ${userId}` : `the credential ${credentialId} of ${userId}`;
