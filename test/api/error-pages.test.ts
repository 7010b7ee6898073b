import { errorsDocument, errorsPage } from '../../api/error-pages';
import { ERRORS } from '../../domain/errors';
import { startApi, type TestApi } from '../support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const CODES = Object.keys(ERRORS);

test('every code of the catalogue has one section with cause and remedy on the page and in the document, and there is no other section', () => {
  const ids = [
    ...errorsPage().matchAll(
      /<section id="(\w+)">\n<h2>\1<\/h2>\n<p>HTTP \d{3}\. \S.*<\/p>\n<p><strong>Remedy\.<\/strong> \S.*<\/p>/g,
    ),
  ];
  expect(ids.map(([, id]) => id).sort()).toEqual(CODES.sort());
  const titles = [...errorsDocument().matchAll(/^## (\w+)\n\nHTTP \d{3}\. \S.*\n\n\*\*Remedy\.\*\* \S.*$/gm)];
  expect(titles.map(([, title]) => title).sort()).toEqual(CODES.sort());
});

test('200: the page needs no token, runs no script and loads only from this service', async () => {
  const answer = await fetch(`${api.url}/docs/errors`);
  const html = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self';");
  expect(html).not.toMatch(/<script|https?:\/\//);
  const style = await fetch(`${api.url}/docs/errors.css`);
  expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
});
