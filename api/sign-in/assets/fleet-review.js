import { element, facts, field, form, paragraph } from './elements.js';
import { names } from './fleet-files.js';
import { isBeingRecorded, mayReview } from './fleet-words.js';
import { change, session } from './session.js';

/** @typedef {import('./fleet-words.js').Group} Group */
/** @typedef {{ serial: string, fingerprint: string }} Member */

const ROLES = /** @type {const} */ ([
  ['devices', 'Device'],
  ['provisioners', 'Provisioner'],
  ['operators', 'Operator'],
]);

/** The table groups the characters itself. @param {Member} member */
const compared = ({ fingerprint }) => fingerprint.replaceAll(' ', '');

/** @param {Group} group */
function proposalRows({ proposal: { device, manifest, newKeys } }) {
  const members = ROLES.flatMap(([list, role]) =>
    manifest[list].map((/** @type {Member} */ one) => /** @type {const} */ ([`${role} ${one.serial}`, compared(one)])),
  );
  return /** @type {(readonly [string, string])[]} */ ([
    ['Made by the device', device.serial],
    ...members,
    ['Threshold', `${manifest.threshold} of ${manifest.provisioners.length} provisioners recover the master secret`],
    ['New keys', String(newKeys)],
    ['All keys of the fleet', `${manifest.numSecp256k1} on secp256k1, ${manifest.numEd25519} on Ed25519`],
    ['Number of the manifest', String(manifest.n)],
  ]);
}

/**
 * The members of the fleet with their fingerprints, for the comparison with paper, and the decision.
 * @param {Group} group
 * @param {string} path
 * @param {(news: string) => void} show
 */
export function review(group, path, show) {
  if (!group.proposal) return [];
  const hasEnded = group.status === 'Rejected' || group.status === 'Canceled';
  const title = hasEnded ? 'Members in the output, which were not accepted' : 'Members of the fleet after this group';
  const table = [element('h2', { textContent: title }), facts(proposalRows(group), 'proposal')];
  if (group.status !== 'InReview' || isBeingRecorded(group)) return table;
  if (!mayReview(group, session()?.userId)) return table;
  return [
    ...table,
    element('h2', { textContent: 'Your review' }),
    paragraph('Compare every fingerprint above with the paper of the ceremony. If one differs, reject the output.'),
    approval(group, path, show),
    rejection(path, show),
  ];
}

/**
 * The page does not show the fingerprint of the manifest, because people agree too easily to what they see. The passkey signs the
 * digest, which covers all members.
 * @param {Group} group
 * @param {string} path
 * @param {(news: string) => void} show
 */
function approval({ proposal }, path, show) {
  const { digest } = proposal.manifest;
  const typed = field('Fingerprint of the manifest, from paper', 'fingerprint', {
    ...{ autocapitalize: 'none', spellcheck: false, placeholder: '32 characters, with or without spaces' },
  });
  return form([typed], 'Approve with a passkey', async ({ fingerprint = '' }) => {
    if (!names(fingerprint, digest))
      throw new Error(
        'This is not the fingerprint of this output. Read the paper again. If it still differs, reject the output.',
      );
    const { status } = await change('POST', `${path}/approve`, { manifest: digest });
    show(
      status === 'InReview' ? 'Your approval is recorded. Others must approve too.' : 'Approved. The fleet has its new manifest.',
    );
  });
}

/**
 * @param {string} path
 * @param {(news: string) => void} show
 */
const rejection = (path, show) =>
  element('details', {}, [
    element('summary', { textContent: 'Reject the output' }),
    reasoned('Reject with a passkey', async (reason) => {
      await change('POST', `${path}/reject`, { reason });
      show('Rejected. The fleet stays as it was.');
    }),
  ]);

const REASON_CHARS_MAX = 1_000;

/**
 * A form that asks for the reason, which the group keeps.
 * @param {string} action
 * @param {(reason: string) => Promise<void>} work
 */
export function reasoned(action, work) {
  const area = element('textarea', { name: 'reason', required: true, rows: 3, maxLength: REASON_CHARS_MAX });
  return form([element('label', {}, ['Reason, which others will read', area])], action, ({ reason = '' }) => work(reason));
}
