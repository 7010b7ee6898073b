import type { Omission } from '../../application/charters/omission';
import type { Charter } from '../../signer/charters/charter';
import { charterDigest } from '../../signer/charters/charter';
import { type CharterItem, charterItems, type Names } from './charter-items';
import { plain } from './plain';

const SECTIONS: readonly CharterItem['section'][] = [
  'Members',
  'Mainnets',
  'Wallets',
  'Limits',
  'Fee sponsors',
  'Registry addresses',
  'Policies',
  'Exports',
  'End users',
  'Seen',
];
const indented = (lines: readonly string[]) => lines.map((line) => `    ${line}`);

/** The digest of the text, which people compare between machines, and the head of the charter. */
export function headLines(text: string, charter: Charter): readonly string[] {
  const { organizationId, signerId, sequence, previous, dateIssued } = charter;
  return [
    `Digest        ${charterDigest(text)}`,
    `Organisation  ${organizationId}`,
    `Signer        ${signerId}`,
    `Sequence      ${sequence}${previous === null ? ', the first charter' : `, after ${previous}`}`,
    `Issued        ${dateIssued}`,
    `Content       ${countWords(charter)}`,
  ];
}

export function countWords({
  members,
  wallets,
  feeSponsors,
  registryAddresses,
  policies,
  changePolicies,
  limits,
  exports,
}: Charter): string {
  const credentials = members.reduce((sum, member) => sum + member.credentials.length, 0);
  return [
    `${members.length} members with ${credentials} credentials`,
    `${wallets.length} wallets`,
    `${limits.length} limits`,
    `${feeSponsors.length} fee sponsors`,
    `${registryAddresses.length} registry addresses`,
    `${policies.length} policies`,
    ...(changePolicies.length === 0 ? [] : [`${changePolicies.length} policies on changes`]),
    ...(exports === undefined ? [] : [`${exports.policies.length} policies on exports`]),
  ].join(', ');
}

/**
 * The whole charter in words. `names` are the names of users and wallets in the database, because the charter contains only ids.
 */
export function readingLines(charter: Charter, names: Names = new Map()): readonly string[] {
  const items = charterItems(charter, names);
  return SECTIONS.flatMap((section) => {
    const here = items.filter((item) => item.section === section);
    return [
      '',
      section,
      ...(here.length === 0 ? ['  none'] : here.flatMap(({ title, lines }) => [`  ${title}`, ...indented(lines)])),
    ];
  });
}

export const omissionLines = (omitted: readonly Omission[]): readonly string[] =>
  omitted.length === 0 ? [] : ['', 'Left out', ...omitted.map(({ subject, reason }) => `  ${plain(subject)}: ${reason}`)];
