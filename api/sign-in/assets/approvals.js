import { envelopeRows, namesIn, placeInWords, requestOf, rowsOf, sponsorRows } from './approval-rows.js';
import { sha256Hex } from './bytes.js';
import { canonical } from './canonical.js';
import { button, element, facts, heading, paragraph } from './elements.js';
import { change, read, session } from './session.js';

/** A kind without a label is shown under its own name. */
const ACTIVITIES = new Map([
  ['Permissions:Modify', 'Change of a permission'],
  ['Permissions:Assign', 'Change of a permission assignment'],
  ['Policies:Modify', 'Change of the policies'],
  ['Registry:Addresses:Modify', 'Change of the address book'],
  ['Registry:ContractSchemas:Modify', 'Change of a known contract'],
  ['Keys:Export', 'Export of a key'],
  ['Keys:Import', 'Import of a key'],
  ['Keys:Delegate', 'Delegation of a key'],
  ['Organizations:Modify', 'Change of the settings'],
]);

/** @param {any} activity */
function activityInWords(activity) {
  if (activity.kind !== 'Wallets:Sign') return ACTIVITIES.get(activity.kind) ?? activity.kind;
  const { network } = requestOf(activity) ?? {};
  return `${formOf(activity)}${network === undefined ? '' : ` on ${network}`}`;
}

/** @param {any} activity */
function formOf(activity) {
  if (activity.transferRequest) return 'Transfer';
  return activity.transactionRequest ? 'Transaction' : 'Signature';
}

/** Newest first. */
export async function waitingApprovals() {
  const { items } = await read(`/v2/policy-approvals?status=Pending&approverId=${session()?.userId}`);
  if (items.length === 0) return [paragraph('Nothing waits for you.')];
  const lines = items.map((/** @type {{ id: string, activity: object, dateCreated: string }} */ approval) =>
    element('li', {}, [
      element('a', {
        href: `#approval/${approval.id}`,
        textContent: `${activityInWords(approval.activity)}, requested ${moment(approval.dateCreated)}`,
      }),
    ]),
  );
  return [element('ul', { id: 'waiting' }, lines)];
}

/** @param {string} date */
const moment = (date) => new Date(date).toLocaleString();

/**
 * The rows come from the evidence that the digest covers. The page marks each value that the digest does not cover.
 * @param {string} approvalId
 * @param {(news: string) => void} back
 */
export async function approvalView(approvalId, back) {
  const path = `/v2/policy-approvals/${encodeURIComponent(approvalId)}`;
  const [{ digest, committed }, { activity, status }, explanation] = await Promise.all([
    read(`${path}/evidence`),
    read(path),
    read(`${path}/explain`),
  ]);
  if (committed === null || (await sha256Hex(canonical(committed))) !== digest) {
    throw new Error('This approval does not show what a signature on it would cover. It cannot be decided here.');
  }
  const { fee } = explanation;
  const asked = requestOf(activity)?.requestBody?.feeSponsorId;
  if (asked !== undefined && asked !== fee?.sponsor?.feeSponsorId) {
    throw new Error(`The request names the fee sponsor ${asked}, but its record names another one. It cannot be decided here.`);
  }
  const names = namesIn(explanation);
  /** @param {readonly [string, string]} row */
  const named = ([place, value]) =>
    /** @type {const} */ ([placeInWords(place), names.has(value) ? `${value} (${names.get(value)})` : value]);
  /** @param {'Approved' | 'Denied'} value */
  const decide = async (value) => {
    await change('POST', `${path}/decisions`, { value }, digest);
    back(value === 'Approved' ? 'Approved. If others must approve too, the request continues after their approval.' : 'Denied.');
  };
  return [
    heading(status === 'Pending' ? 'You are asked to approve' : 'This approval has ended'),
    ...(status === 'Pending'
      ? [paragraph(`${explanation.initiator.name} asks: ${activityInWords(activity)}.`)]
      : [paragraph(explanation.summary)]),
    facts([...envelopeRows(committed.envelope, activity, fee), ...sponsorRows(fee)], 'envelope'),
    element('details', { open: true }, [
      element('summary', {
        textContent: 'Policies, groups and record that your signature also covers; names in brackets come from the service',
      }),
      facts([...rowsOf({ ...committed, envelope: '(above)' }).map(named), ['Digest', digest]]),
    ]),
    ...(status === 'Pending'
      ? [
          element('p', { className: 'actions' }, [
            button('Approve with a passkey', () => decide('Approved')),
            button('Deny', () => decide('Denied'), 'second'),
          ]),
        ]
      : []),
  ];
}
