import { createHash } from 'node:crypto';
import type { VendorState } from './state';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}section{margin:2rem 0}' +
  'textarea{width:100%;font:14px/1.4 ui-monospace,monospace}pre{white-space:pre-wrap;background:#f4f4f4;padding:.5rem;margin:.2rem 0}' +
  'button{font:inherit;padding:.2rem 1rem;margin:.3rem .5rem .3rem 0}td{vertical-align:top;padding:.2rem 1rem .2rem 0}';
export const STYLE_POLICY = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

const SHOWN_REQUESTS_MAX = 20;
const EXAMPLES = [
  { kind: 'Normal' },
  { kind: 'Slow', delayMs: 3_000 },
  { kind: 'Error', status: 500 },
  { kind: 'RateLimited', retryAfterSeconds: 5 },
  { kind: 'Silent' },
  { kind: 'Garbage' },
  { kind: 'TooLong' },
  { kind: 'Broken' },
];

/**
 * The page shows, for each vendor, its instruction, the requests that the vendor got, and a form that changes the instruction.
 */
export function pageOf(states: readonly VendorState[]): string {
  const examples = EXAMPLES.map((one) => `<code>${escaped(JSON.stringify(one))}</code>`).join(', ');
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Vendors of this local trial</title><style>${STYLE}</style></head>` +
    `<body><h1>Vendors of this local trial</h1><p>None of these vendors is real. Each vendor follows its instruction. <code>behaviour</code> is one of ` +
    `${examples}. <code>script</code> sets the findings of the vendor. With <code>"times": 3</code> the instruction ends after three requests, and the ` +
    `initial instruction applies again.</p>` +
    `${states.map(sectionOf).join('')}</body></html>\n`
  );
}

function sectionOf({ part, scripted, requests }: VendorState): string {
  const instruction = escaped(JSON.stringify(scripted(), null, 2));
  const rows = requests()
    .slice(0, SHOWN_REQUESTS_MAX)
    .map(({ date, method, path, body }) => {
      const sent = body === undefined ? '' : `<pre>${escaped(JSON.stringify(body, null, 1))}</pre>`;
      return `<tr><td>${escaped(date)}</td><td>${escaped(`${method} ${path}`)}</td><td>${sent}</td></tr>`;
    });
  const action = `/scripts/${escaped(part.name)}`;
  return (
    `<section><h2>${escaped(part.title)}</h2><form method="post" action="${action}">` +
    `<label>Instruction<textarea name="instruction" rows="14">${instruction}</textarea></label><button>Apply</button></form>` +
    `<form method="post" action="${action}"><input type="hidden" name="instruction" value=""><button>Forget everything</button></form>` +
    `<h3>Requests</h3>${rows.length === 0 ? '<p>Nothing yet.</p>' : `<table>${rows.join('')}</table>`}</section>`
  );
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
