/** What the members of an envelope are called on the page; one that is not named here is shown under its own name. */
const WORDS = new Map([
  ['to', 'Recipient'],
  ['from', 'From'],
  ['asset', 'Asset'],
  ['network', 'Network'],
  ['amountUnits', 'Amount, in smallest units'],
  ['feeCeilingUnits', 'Highest fee, in smallest units'],
]);

/** The same of what an approval commits to beside the envelope, member by member of a place. */
const MEMBERS = new Map([
  ['v', 'Version of this form'],
  ['org', 'Organisation'],
  ['activityKind', 'Kind of request'],
  ['activityId', 'Request'],
  ['envelope', 'What is asked for'],
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
 * A place in words; members that have none keep their own name, and positions count from one.
 * @param {string} place
 */
export const placeInWords = (place) =>
  place
    .split(' · ')
    .map((member) => (/^\d+$/.test(member) ? String(Number(member) + 1) : (MEMBERS.get(member) ?? member)))
    .join(' · ');

/**
 * What is committed, in the order it is committed in, so that nothing of it can be left out of the page.
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

/** @param {any} activity */
export const requestOf = (activity) => activity.transferRequest ?? activity.transactionRequest ?? activity.signatureRequest;

/**
 * The rows of what is asked for. Whole units stand beside the smallest ones that are signed over; symbol, decimals and the sponsor are the
 * service's word, so that their rows say so; a symbol that only the token itself claims is left out.
 * @param {unknown} envelope
 * @param {any} activity
 * @param {any} fee as `explain` has it
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
 * What call data say in words, where the recipient is a token; nothing of data that have another form. The row of the bytes themselves stays.
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
 * Who pays the fee in the wallet's place.
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
 * What the service calls the policies and people of an approval, by their ids.
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
