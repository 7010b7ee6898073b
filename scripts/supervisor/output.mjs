const COLOURS = {
  postgres: 34,
  temporal: 35,
  chain: 33,
  signer: 31,
  mailbox: 90,
  worker: 32,
  api: 36,
  migrate: 90,
  'first-run': 90,
};
const WIDTH = 9;

/**
 * Prefixes each line with the role of its process. On a terminal outside production, also turns lines of JSON into readable text.
 */
export function createOutput(stream = process.stdout, production = process.env.NODE_ENV === 'production') {
  const terminal = stream.isTTY === true;
  const asText = terminal && !production ? readable : (line) => line;
  stream.on('error', () => undefined); // the service continues after the reader of its output has ended (`npm start | head`)
  return {
    lineOf: (role) => (line) => {
      const name = role.padEnd(WIDTH);
      const prefix = terminal ? `\u001b[${COLOURS[role] ?? 37}m${name}\u001b[0m` : name;
      stream.write(`${prefix} | ${asText(line)}\n`);
    },
    say: (text) => stream.write(`${text}\n`),
  };
}

function readable(line) {
  if (!line.startsWith('{"level":')) return line;
  let entry;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { level, time, role, msg, method, path, status, ms, err, ...rest } = entry;
  const request = method && `${[method, path].filter(Boolean).join(' ')} -> ${status} in ${ms} ms`;
  const details = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const fault = err ? `\n${err.stack ?? err.message ?? JSON.stringify(err)}` : '';
  const text = [request && msg === 'request' ? '' : msg, request, ...details].filter(Boolean).join(' ');
  return `${clockOf(time)} ${level.padEnd(5)} ${text}${fault}`;
}

/** The local time of day is enough on a terminal. */
const clockOf = (time) => new Date(time).toTimeString().slice(0, 8);

export const FLEET_ADVICE =
  '`npm run ceremony -- genesis` makes its keys, once, and `npm run ceremony -- sign` signs what waits for it';

/** Warnings about the first-run file follow the table. */
export function readyTable(service) {
  const { homeUrl, apiUrl, temporalUiUrl, mailboxUrl, vendorsUrl, metricsUrl, dataFolder, firstRunFile, whyNoFile } = service;
  const { fleetFolder, seconds } = service;
  const rows = [
    ...(homeUrl ? [['All pages', homeUrl]] : []),
    ['API', apiUrl],
    ['API reference', `${apiUrl}/docs`],
    ['Temporal UI', temporalUiUrl || 'that of your own Temporal server'],
    ...(mailboxUrl ? [['Mails', mailboxUrl]] : []),
    ...(vendorsUrl ? [['Vendors', vendorsUrl]] : []),
    ...(metricsUrl ? [['Metrics', metricsUrl]] : []),
    ['Data folder', dataFolder],
    ['First-run file', firstRunFile ?? whyNoFile],
    ...(fleetFolder ? [['Offline machines', fleetFolder]] : []),
  ];
  const width = Math.max(...rows.map(([, value]) => value.length));
  const rule = `+${'-'.repeat(18)}+${'-'.repeat(width + 2)}+`;
  const body = rows.map(([name, value]) => `| ${name.padEnd(16)} | ${value.padEnd(width)} |`);
  const warning = 'The first-run file holds tokens and private keys of a local trial. Do not use them for anything of value.';
  const waits =
    'In this trial new approvers, recoveries and key export have no waiting time; elsewhere each waits 24 hours by default.';
  return [
    '',
    `Strongroom is ready after ${seconds} s`,
    rule,
    ...body,
    rule,
    ...(firstRunFile ? [warning, waits] : []),
    ...(fleetFolder ? [`For the offline key store, in a second shell: ${FLEET_ADVICE}.`] : []),
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}
