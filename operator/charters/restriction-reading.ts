import { type Removal, type Restriction, restrictionDigest } from '../../signer/charters/restriction';

/** The content of a restriction, for the person who signs it and for the operator who submits it. */
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
