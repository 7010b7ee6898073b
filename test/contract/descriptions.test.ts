import { operations } from '../../api/operations';
import { ERRORS, type ErrorCode } from '../../domain/errors';
import { EVENTS } from '../../domain/events';

/** A receiver gets the ping in the format of an event, but the ping is not an event. */
const NO_EVENT = 'webhook.ping';
const SENTENCE_END = /[.!?](?=\s|$)/g;
const EVENT = /`((?:wallet|address_watch|policy|key|freeze|webhook)\.[a-z_]+(?:\.[a-z_]+)*)`/g;
const CODE = /\b([45]\d\d) `(\w+)`/g;

test.each(operations.map(({ id, description }) => [id, description]))('%s is described in two to five sentences', (_id, text) => {
  const count = [...text.replace(/\b(e\.g|i\.e)\./g, '').matchAll(SENTENCE_END)].length;
  expect(count).toBeGreaterThanOrEqual(2);
  expect(count).toBeLessThanOrEqual(5);
  expect(text).toMatch(/[.!?]$/);
});

test('descriptions mention only existing events and errors, and each error with its status', () => {
  const named = operations.flatMap(({ description }) => [...description.matchAll(EVENT)].map(([, name]) => name ?? ''));
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => !(name in EVENTS) && name !== NO_EVENT)).toEqual([]);
  const codes = operations.flatMap(({ id, description }) =>
    [...description.matchAll(CODE)].map(([, status, code]) => ({ id, status, code })),
  );
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter(({ status, code }) => ERRORS[code as ErrorCode]?.status !== Number(status))).toEqual([]);
});
