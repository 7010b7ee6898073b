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
const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const WIDTH = 9;

/** Gives each process its prefix; on a terminal in colour and with our JSON lines made readable, elsewhere unaltered. */
export function createOutput(stream = process.stdout) {
  const terminal = stream.isTTY === true;
  stream.on('error', () => undefined); // the reader went away (`npm start | head`); the service goes on
  return {
    lineOf: (role) => (line) => {
      const name = role.padEnd(WIDTH);
      const prefix = terminal ? `\u001b[${COLOURS[role] ?? 37}m${name}\u001b[0m` : name;
      stream.write(`${prefix} | ${terminal ? readable(line) : line}\n`);
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
  const { level, time, role, msg, err, ...rest } = entry;
  const details = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const fault = err ? `\n${err.stack ?? err.message ?? JSON.stringify(err)}` : '';
  return `${(LEVELS[level] ?? String(level)).padEnd(5)} ${[msg, ...details].filter(Boolean).join(' ')}${fault}`;
}

/** The one table a stranger needs, and the warning that belongs to it. */
export function readyTable({ apiUrl, temporalUiUrl, mailboxUrl, vendorsUrl, metricsUrl, dataFolder, firstRunFile, seconds }) {
  const rows = [
    ['API', apiUrl],
    ['API reference', `${apiUrl}/docs`],
    ['Temporal UI', temporalUiUrl || 'that of your own Temporal server'],
    ...(mailboxUrl ? [['Mails', mailboxUrl]] : []),
    ...(vendorsUrl ? [['Vendors', vendorsUrl]] : []),
    ...(metricsUrl ? [['Metrics', metricsUrl]] : []),
    ['Data folder', dataFolder],
    ['First-run file', firstRunFile ?? 'none in production mode'],
  ];
  const width = Math.max(...rows.map(([, value]) => value.length));
  const rule = `+${'-'.repeat(18)}+${'-'.repeat(width + 2)}+`;
  const body = rows.map(([name, value]) => `| ${name.padEnd(16)} | ${value.padEnd(width)} |`);
  const warning = 'The first-run file holds tokens and private keys of a local trial. Do not use them for anything of value.';
  const waits =
    'In this trial new approvers, recoveries and key export wait for nothing; elsewhere each waits 24 hours by default.';
  return [
    '',
    `Strongroom is ready after ${seconds} s`,
    rule,
    ...body,
    rule,
    ...(firstRunFile ? [warning, waits] : []),
    'Ctrl-C stops everything.',
    '',
  ].join('\n');
}
