/** The place of the output of a group follows its kind. */
const KINDS = new Map([
  ['Genesis', { path: 'genesis', name: 'Genesis', task: 'makes the master secret and the first keys' }],
  ['Clone', { path: 'clone', name: 'Clone', task: 'receives the master secret of another device' }],
  ['KeyHarvest', { path: 'key-harvest', name: 'Key harvest', task: 'makes new keys' }],
  ['AddProvisioner', { path: 'add-provisioner', name: 'New provisioner', task: 'divides the master secret again' }],
  ['AddMacUser', { path: 'add-mac-user', name: 'New operator', task: 'accepts another operator' }],
  ['OnchainSign', { path: 'onchain-sign', name: 'Signatures', task: 'signs approved requests' }],
  ['ProofOfControl', { path: 'proof-of-control', name: 'Proof of control', task: 'proves that it has the keys of wallets' }],
]);

/**
 * @typedef {{
 *   groupId: string, storeId: string, orgId: string, status: string, createdBy: string, dateCreated: string, endsAt?: string,
 *   submittedBy?: string, dateSubmitted?: string, reviewedBy?: string, dateReviewed?: string, canceledBy?: string,
 *   dateCanceled?: string, reason?: string, hindrance?: string, proposal?: any,
 *   reviewersMissing?: number, earlierReviews?: { reviewedBy: string, dateReviewed: string }[],
 *   operations: { operationId: string, kind: string, status: string }[],
 * }} Group
 */

/** @param {string} date */
export const moment = (date) => new Date(date).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** @param {Group} group */
const kindOf = ({ operations }) => KINDS.get(operations[0]?.kind ?? '');

/** @param {Group} group */
export function nameOf(group) {
  const name = kindOf(group)?.name ?? group.operations[0]?.kind ?? 'Operations';
  return group.operations.length > 1 ? `${name} (${group.operations.length})` : name;
}

/** @param {Group} group */
export function outputPath(group) {
  const kind = kindOf(group);
  if (!kind) throw new Error('This page does not know this kind of group. Reload the page.');
  return `/key-stores/${encodeURIComponent(group.storeId)}/${kind.path}/output`;
}

/** @param {Group} group */
export const isOpen = ({ status }) => status === 'Initialized' || status === 'InReview';

/** @param {Group} group */
export const isBeingRecorded = ({ status, reviewedBy }) => status === 'InReview' && reviewedBy !== undefined;

/** @param {Group} group */
export function stateInWords({ status, dateReviewed, dateSubmitted, dateCanceled, canceledBy, ...group }) {
  if (status === 'Initialized') return 'waits for the output of a device';
  if (status === 'InReview') return isBeingRecorded({ status, ...group }) ? 'is being approved' : 'waits for a review';
  if (status === 'Approved') return `approved ${moment(dateReviewed ?? dateSubmitted ?? group.dateCreated)}`;
  if (status === 'Rejected') return `rejected ${moment(dateReviewed ?? group.dateCreated)}`;
  if (status === 'Canceled') return `${canceledBy ? 'canceled' : 'ended'} ${moment(dateCanceled ?? group.dateCreated)}`;
  return status;
}

/**
 * Who must do what, and until when; undefined if nothing is left to do.
 * @param {Group} group
 * @param {string | undefined} userId the person who reads this
 */
export function nextStep(group, userId) {
  if (!isOpen(group)) return undefined;
  if (isBeingRecorded(group)) return 'The signer verifies the output again and records it. Nothing is left for people to do.';
  const until = group.endsAt === undefined ? '' : `Until ${moment(group.endsAt)}: `;
  return `${until}${taskOfPeople(group, userId)} Otherwise the group is canceled.${yourPart(group, userId)}`;
}

/**
 * @param {Group} group
 * @param {string | undefined} userId
 */
function yourPart(group, userId) {
  if (group.status !== 'InReview' || mayReview(group, userId)) return '';
  return hasApproved(group, userId) ? ' You have approved the output.' : ' You can only cancel the group.';
}

/**
 * @param {Group} group
 * @param {string | undefined} userId
 */
function taskOfPeople(group, userId) {
  if (group.status === 'Initialized') {
    const task = kindOf(group)?.task ?? 'does its part';
    return `an operator carries the archive to the device, which ${task}, and submits the two files that the device writes.`;
  }
  const { reviewersMissing = 1 } = group;
  if (mayReview(group, userId)) {
    const people = reviewersMissing === 1 ? '' : ` ${reviewersMissing} people must approve.`;
    return `compare the fingerprints with the paper of the ceremony, then approve or reject the output.${people}`;
  }
  if (hasApproved(group, userId) || reviewersMissing > 1) {
    const people = reviewersMissing === 1 ? 'one more person' : `${reviewersMissing} more people`;
    return `${people} must compare the fingerprints with the paper of the ceremony, and approve.`;
  }
  return 'a person who neither made the group nor submitted its output compares the fingerprints with the paper of the ceremony, and approves or rejects.';
}

/**
 * @param {Group} group
 * @param {string | undefined} userId
 */
export const mayReview = (group, userId) =>
  userId !== group.createdBy && userId !== group.submittedBy && !hasApproved(group, userId);

/**
 * @param {Group} group
 * @param {string | undefined} userId
 */
const hasApproved = ({ earlierReviews = [] }, userId) => earlierReviews.some(({ reviewedBy }) => reviewedBy === userId);
