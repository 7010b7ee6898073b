import { ERROR_HELP } from '../domain/error-help';
import { ERRORS, type ErrorCode } from '../domain/errors';

const INTRODUCTION = [
  'The body of an error is `{"error": {"id", "status", "message", "details"}}`. `id` is one of the codes below, and the ' +
    'meaning of a code never changes: programs evaluate `id`, and people read `message`. `details` is absent if the error needs ' +
    'no further data. The header `Link` leads to the section of the code.',
  'If `May be repeated` is yes, the same request can succeed later. After any other code, send a different request, or repeat ' +
    'the request once the state has changed.',
];

/** Sorted by status; codes with the same status stay in the order of the catalogue. */
const CODES = (Object.keys(ERRORS) as ErrorCode[]).sort((one, other) => ERRORS[one].status - ERRORS[other].status);
const repeated = (code: ErrorCode): string => (ERRORS[code].retryable ? 'yes' : 'no');

export function errorsDocument(): string {
  const rows = CODES.map((code) => `| [${code}](#${code.toLowerCase()}) | ${ERRORS[code].status} | ${repeated(code)} |`);
  const sections = CODES.map((code) => {
    const { cause, remedy } = ERROR_HELP[code];
    return `## ${code}\n\nHTTP ${ERRORS[code].status}. ${cause}\n\n**Remedy.** ${remedy}\n`;
  });
  return [
    '# Errors\n',
    'Written by `npm run fix` from `domain/errors.ts` and `domain/error-help.ts`; do not edit. The service has the same page at `GET /docs/errors`.\n',
    ...INTRODUCTION.map((text) => `${text}\n`),
    `| Code | Status | May be repeated |\n|---|---|---|\n${rows.join('\n')}\n`,
    ...sections,
  ].join('\n');
}

export const ERRORS_STYLE = `:root { color-scheme: light dark; }
body { font: 16px / 1.5 system-ui, sans-serif; max-width: 48rem; margin: 0 auto; padding: 1.5rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.15rem 1rem 0.15rem 0; }
section { border-top: 1px solid color-mix(in srgb, currentcolor 25%, transparent); }
section:target { border-left: 0.25rem solid currentcolor; padding-left: 1rem; }
`;

/** The id of each section is its error code, so that the header `Link` of a refusal can lead to the section. */
export function errorsPage(): string {
  const rows = CODES.map(
    (code) => `<tr><td><a href="#${code}">${code}</a></td><td>${ERRORS[code].status}</td><td>${repeated(code)}</td></tr>`,
  );
  const sections = CODES.map((code) => {
    const { cause, remedy } = ERROR_HELP[code];
    return `<section id="${code}">
<h2>${code}</h2>
<p>HTTP ${ERRORS[code].status}. ${htmlOf(cause)}</p>
<p><strong>Remedy.</strong> ${htmlOf(remedy)}</p>
</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Strongroom errors</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/errors.css">
</head>
<body>
<main>
<h1>Errors</h1>
${INTRODUCTION.map((text) => `<p>${htmlOf(text)}</p>`).join('\n')}
<table>
<thead><tr><th>Code</th><th>Status</th><th>May be repeated</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const htmlOf = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '').replace(/`([^`]*)`/g, '<code>$1</code>');
