import { archive } from './carrying/archive.js';
import { output } from './carrying/output.js';
import { button, element, facts, heading, paragraph } from './elements.js';
import { reasoned, review } from './fleet-review.js';
import { isBeingRecorded, isOpen, moment, nameOf, nextStep, stateInWords } from './fleet-words.js';
import { change, read, session } from './session.js';

/** @typedef {import('./fleet-words.js').Group} Group */

/**
 * @param {string} storeId
 * @param {string} groupId
 * @param {(news: string) => void} show shows the group again, with this notice
 */
export async function groupView(storeId, groupId, show) {
  const operations = `/key-stores/${encodeURIComponent(storeId)}/fleet-operations`;
  const path = `${operations}/${encodeURIComponent(groupId)}`;
  /** @type {Group} */
  const group = await read(path);
  const next = nextStep(group, session()?.userId);
  return [
    heading(`${nameOf(group)}: ${stateInWords(group)}`, 'group'),
    ...(next === undefined ? [] : [element('p', { id: 'next', textContent: next })]),
    ...(group.hindrance ? [paragraph(`The last approval failed: ${group.hindrance}`)] : []),
    ...(group.reason ? [paragraph(`Reason: ${group.reason}`)] : []),
    ...(group.status === 'Initialized' ? [...archive(path, group), ...output(group, show)] : []),
    ...review(group, path, show),
    element('h2', { textContent: 'About this group' }),
    facts(groupRows(group), 'about'),
    ...(isOpen(group) && !isBeingRecorded(group) ? [cancellation(operations, groupId, show)] : []),
    element('p', { className: 'actions' }, [
      ...(isOpen(group) ? [button('Show the state again', async () => show(''), 'second')] : []),
      element('a', { href: '#fleets', textContent: 'All groups' }),
    ]),
  ];
}

/** @param {Group} group */
function groupRows({ groupId, storeId, createdBy, dateCreated, ...group }) {
  /**
   * @param {string} name
   * @param {string | undefined} userId
   * @param {string | undefined} date
   */
  const by = (name, userId, date) =>
    userId === undefined || date === undefined
      ? []
      : [/** @type {const} */ ([name, `${userId === session()?.userId ? 'you' : userId}, ${moment(date)}`])];
  return [
    /** @type {const} */ (['Group', groupId]),
    /** @type {const} */ (['Key store', storeId]),
    ...by('Made by', createdBy, dateCreated),
    ...by('Output submitted by', group.submittedBy, group.dateSubmitted),
    ...(group.earlierReviews ?? []).flatMap(({ reviewedBy, dateReviewed }) => by('Approved by', reviewedBy, dateReviewed)),
    ...by('Reviewed by', group.reviewedBy, group.dateReviewed),
    ...by('Canceled by', group.canceledBy, group.dateCanceled),
  ];
}

/**
 * @param {string} operations
 * @param {string} groupId
 * @param {(news: string) => void} show
 */
const cancellation = (operations, groupId, show) =>
  element('details', {}, [
    element('summary', { textContent: 'Cancel this group' }),
    reasoned('Cancel with a passkey', async (reason) => {
      await change('POST', `${operations}/cancel`, { groupId, reason });
      show('Canceled. The service never accepts an output of this group.');
    }),
  ]);
