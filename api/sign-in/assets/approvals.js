import { sha256Hex } from './bytes.js';
import { canonical } from './canonical.js';
import { button, element, facts, heading, paragraph } from './elements.js';
import { change, read, session } from './session.js';

/** Waiting approvals that this person may act on, newest first. */
export async function waitingApprovals() {
  const { items } = await read(`/v2/policy-approvals?status=Pending&approverId=${session()?.userId}`);
  if (items.length === 0) return [paragraph('Nothing waits for you.')];
  const lines = items.map((/** @type {{ id: string, activity: { kind: string }, dateCreated: string }} */ approval) =>
    element('li', {}, [
      element('a', {
        href: `#approval/${approval.id}`,
        textContent: `${approval.activity.kind}, asked for ${moment(approval.dateCreated)}`,
      }),
    ]),
  );
  return [element('ul', { id: 'waiting' }, lines)];
}

/** @param {string} date */
const moment = (date) => new Date(date).toLocaleString();

/** What the members of an envelope are called on the page; one that is not named here is shown under its own name. */
const WORDS = new Map([
  ['to', 'Recipient'],
  ['from', 'From'],
  ['asset', 'Asset'],
  ['network', 'Network'],
  ['amountUnits', 'Amount, in smallest units'],
  ['feeCeilingUnits', 'Highest fee, in smallest units'],
]);

/**
 * What is committed, in the order it is committed in, so that nothing of it can be left out of the page.
 * @param {unknown} value
 * @param {string} place
 * @returns {(readonly [string, string])[]}
 */
function rowsOf(value, place = '') {
  if (value === null || typeof value !== 'object') return [[place, String(value)]];
  const rows = Object.entries(value).flatMap(([name, member]) => rowsOf(member, place === '' ? name : `${place} · ${name}`));
  return rows.length === 0 ? [[place, '(none)']] : rows;
}

/**
 * The amount in whole units, beside the smallest ones that are signed over. Symbol and decimals are the service's word, so that the row says
 * so; a symbol that only the token itself claims is left out.
 * @param {string} units
 * @param {any} activity
 * @returns {(readonly [string, string])[]}
 */
function amountRows(units, activity) {
  const { decimals, symbol, verified } = (activity.transferRequest ?? activity.transactionRequest)?.metadata?.asset ?? {};
  if (!Number.isInteger(decimals) || !/^\d+$/.test(units)) return [];
  const digits = units.padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = `${digits.slice(0, digits.length - decimals)}${decimals === 0 || fraction === '' ? '' : `.${fraction}`}`;
  return [
    ['Amount, as the service reads it', verified && symbol ? `${whole} ${symbol}` : `${whole} of an asset that is not verified`],
  ];
}

/**
 * One approval, shown from the evidence that its digest is computed from and from nothing else.
 * @param {string} approvalId
 * @param {(news: string) => void} back
 */
export async function approvalView(approvalId, back) {
  const path = `/v2/policy-approvals/${encodeURIComponent(approvalId)}`;
  const [{ digest, committed }, { activity }] = await Promise.all([read(`${path}/evidence`), read(path)]);
  if (committed === null || (await sha256Hex(canonical(committed))) !== digest) {
    throw new Error('What this approval shows is not what a signature on it would stand for. It cannot be decided here.');
  }
  /** @param {'Approved' | 'Denied'} value */
  const decide = async (value) => {
    await change('POST', `${path}/decisions`, { value }, digest);
    back(value === 'Approved' ? 'Approved. What waits for others goes on when they have approved too.' : 'Denied.');
  };
  return [
    heading('You are asked to approve'),
    facts(
      rowsOf(committed.envelope).flatMap(([name, value]) => [
        [WORDS.get(name) ?? name, value],
        ...(name === 'amountUnits' ? amountRows(value, activity) : []),
      ]),
      'envelope',
    ),
    element('details', { open: true }, [
      element('summary', { textContent: 'Policies, groups and record that your signature covers too' }),
      facts([...rowsOf({ ...committed, envelope: '(above)' }), ['Digest', digest]]),
    ]),
    element('p', { className: 'actions' }, [
      button('Approve with a passkey', () => decide('Approved')),
      button('Deny', () => decide('Denied'), 'second'),
    ]),
  ];
}
