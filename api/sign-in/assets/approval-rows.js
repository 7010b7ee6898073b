/** An envelope member without a label is shown under its own name. */
const WORDS = new Map([
  ['to', 'Recipient'],
  ['from', 'From'],
  ['asset', 'Asset'],
  ['network', 'Network'],
  ['amountUnits', 'Amount, in smallest units'],
  ['feeCeilingUnits', 'Highest fee, in smallest units'],
]);

const MEMBERS = new Map([
  ['v', 'Version of this form'],
  ['org', 'Organisation'],
  ['activityKind', 'Kind of request'],
  ['activityId', 'Request'],
  ['envelope', 'Requested action'],
  ['policies', 'Policy'],
  ['groups', 'Group'],
  ['credentials', 'Credential of a voter, as a digest'],
  ['name', 'called'],
  ['quorum', 'people needed'],
  ['groupId', 'id'],
  ['policyId', 'of the policy'],
  ['voterIds', 'may approve'],
  ['denierIds', 'may only deny'],
]);

/**
 * A place is the path to a committed value, such as `groups · 0 · quorum`. Text for people numbers positions from one.
 * @param {string} place
 */
export const placeInWords = (place) =>
  place
    .split(' · ')
    .map((member) => (/^\d+$/.test(member) ? String(Number(member) + 1) : (MEMBERS.get(member) ?? member)))
    .join(' · ');

/**
 * Every committed value in the committed order, so that the page cannot omit a value.
 * @param {unknown} value
 * @param {string} place
 * @returns {(readonly [string, string])[]}
 */
export function rowsOf(value, place = '') {
  if (value === null || typeof value !== 'object') return [[place, String(value)]];
  const rows = Object.entries(value).flatMap(([name, member]) => rowsOf(member, place === '' ? name : `${place} · ${name}`));
  return rows.length === 0 ? [[place, '(none)']] : rows;
}

/**
 * @param {string} units
 * @param {unknown} decimals
 */
function wholeOf(units, decimals) {
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || !/^\d+$/.test(units)) return undefined;
  const digits = units.padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${digits.slice(0, digits.length - decimals)}${decimals === 0 || fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * The request of an activity; undefined for a change.
 * @param {any} activity
 */
export const requestOf = (activity) => activity.transferRequest ?? activity.transactionRequest ?? activity.signatureRequest;

/**
 * Amounts in whole units are shown next to the signed smallest units. Symbols and decimals come from the service and are not
 * signed, and their rows state this. The symbol of an unverified asset is omitted.
 * @param {unknown} envelope
 * @param {any} activity
 * @param {any} fee as the operation `explainApproval` returns it
 * @returns {(readonly [string, string])[]}
 */
export function envelopeRows(envelope, activity, fee) {
  const asset = requestOf(activity)?.metadata?.asset ?? {};
  return rowsOf(envelope).flatMap(([place, value]) => {
    const row = /** @type {const} */ ([WORDS.get(place) ?? place, value]);
    if (place === 'amountUnits') return [row, ...amountRows(wholeOf(value, asset.decimals), asset)];
    if (place === 'feeCeilingUnits') return [row, ...feeRows(wholeOf(value, fee?.decimals), fee)];
    return [row, ...callRows(row[0], value)];
  });
}

const TRANSFER = 'a9059cbb';
const ALL = 'f'.repeat(64);

/**
 * Explains the call data of a token transfer or approval; returns no rows for other call data.
 * @param {string} name
 * @param {string} value
 * @returns {(readonly [string, string])[]}
 */
function callRows(name, value) {
  const [, selector, who, units] = /^0x(a9059cbb|095ea7b3)0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(value) ?? [];
  if (!name.endsWith('dataHex') || units === undefined) return [];
  const amount = units === ALL ? 'everything' : `${BigInt(`0x${units}`)} smallest units`;
  return [[`${name}, as a token reads it`, selector === TRANSFER ? `pay ${amount} to 0x${who}` : `let 0x${who} take ${amount}`]];
}

/**
 * @param {string | undefined} whole
 * @param {{ symbol?: string, verified?: boolean }} asset
 * @returns {(readonly [string, string])[]}
 */
const amountRows = (whole, { symbol, verified }) =>
  whole === undefined
    ? []
    : [
        [
          'Amount, as the service reads it',
          verified && symbol ? `${whole} ${symbol}` : `${whole} of an asset that is not verified`,
        ],
      ];

/**
 * @param {string | undefined} whole
 * @param {any} fee
 * @returns {(readonly [string, string])[]}
 */
const feeRows = (whole, fee) =>
  whole === undefined ? [] : [['Highest fee, as the service reads it', `${whole} ${fee.symbols.join(' or ')}`]];

/**
 * Empty if no sponsor pays the fee.
 * @param {any} fee
 * @returns {(readonly [string, string])[]}
 */
export function sponsorRows(fee) {
  if (!fee?.sponsor) return [];
  const { feeSponsorId, name, address } = fee.sponsor;
  return [
    ['Fee sponsor, as the service reads it', name === null ? feeSponsorId : `${name} (${feeSponsorId})`],
    ...(address === null ? [] : [/** @type {const} */ (['Its address, as the service reads it', address])]),
  ];
}

/**
 * The names of policies and people by id, as the service reports them.
 * @param {any} explanation
 * @returns {Map<string, string>}
 */
export function namesIn({ initiator, policies, approval }) {
  const people = (approval?.groups ?? []).flatMap((/** @type {any} */ group) => group.people);
  return new Map([
    ...policies.map((/** @type {any} */ { policyId, name }) => [policyId, name]),
    ...(approval?.groups ?? []).map((/** @type {any} */ { policyId, policyName }) => [policyId, policyName]),
    ...[initiator, ...people].map(({ userId, name }) => [userId, name]),
  ]);
}
