import type { z } from 'zod';
import { ApiEnv } from '../api/config';
import { MigrationEnv } from '../entities/config';
import { ForwarderEnv } from '../forwarder/config';
import { COMMAND_ENVS } from '../operator/config';
import { SignerEnv } from '../signer/config';
import { ReplicaEnv } from '../signer/replica/config';
import { WorkerEnv } from '../worker/config';
import { type Variable, variablesOf } from './variables';

type Role = { readonly title: string; readonly program: string; readonly schema: z.ZodObject; readonly note?: string };

/** The roles in the order of the page. */
export const ROLES = [
  {
    title: 'Migration',
    program: 'node dist/operator/upgrade.js',
    schema: MigrationEnv,
    note: 'The roles `strongroom_app`, `strongroom_worker` and `strongroom_relay` must exist: the migration grants them their rights.',
  },
  { title: 'API', program: 'node dist/api/main.js', schema: ApiEnv },
  { title: 'Worker', program: 'node dist/worker/main.js', schema: WorkerEnv },
  { title: 'Signer', program: 'node dist/signer/main.js', schema: SignerEnv },
  { title: 'Replica', program: 'node dist/signer/replica/main.js', schema: ReplicaEnv },
  { title: 'Forwarder', program: 'node dist/forwarder/main.js', schema: ForwarderEnv },
] as const satisfies readonly Role[];

const INTRODUCTION = `# Configuration

Written by \`npm run fix\` from the schemas of the roles, \`scripts/supervisor/\` and \`docker-compose.yml\`; do not edit.

Each role reads environment variables. A fault in a variable stops the start of the role, which lists all faults at once. Every variable may be given
as \`<NAME>_FILE\`, the path of a file with the value, so that a secret never has to be in the environment. An empty variable counts as not set. An
empty default means that the variable may be left out. Durations are in the unit at the end of the name. In addition, Temporal's own clients read
certificates from \`TEMPORAL_TLS_…\`, and the exporter of traces reads the other standard variables \`OTEL_…\`.
`;

/** A variable that is read only by Compose, or only by the scripts that start a trial. */
export type OtherVariable = Pick<Variable, 'name' | 'standard' | 'description'>;

type Others = {
  readonly trial: readonly OtherVariable[];
  /** The variables that `docker-compose.yml` takes from `.env`, with their defaults. */
  readonly compose: readonly Pick<Variable, 'name' | 'standard'>[];
  readonly composeAlone: readonly OtherVariable[];
};

/** The text of `docs/configuration.md`. Throws for a variable without a description. */
export function configurationPage({ trial, compose, composeAlone }: Others): string {
  return [
    INTRODUCTION,
    ...ROLES.map(sectionOf),
    commandSection(),
    composeSection(compose, composeAlone),
    trialSection(trial),
  ].join('\n');
}

function sectionOf({ title, program, schema, note }: Role): string {
  const rows = variablesOf(schema).map(({ name, form, standard, secret, description }) => [
    `\`${name}\``,
    form,
    standard,
    secret,
    description,
  ]);
  const about = `\`${program}\`${note === undefined ? '' : `. ${note}`}`;
  return `## ${title}\n\n${about}\n\n${table(['Variable', 'Value', 'Default', 'Secret', 'Meaning'], rows)}`;
}

function commandSection(): string {
  const variables = new Map<string, { readonly variable: Variable; readonly readers: string[] }>();
  for (const { commands, schema } of COMMAND_ENVS) {
    for (const variable of variablesOf(schema)) {
      const known = variables.get(variable.name) ?? { variable, readers: [] };
      known.readers.push(...commands);
      variables.set(variable.name, known);
    }
  }
  const rows = [...variables.values()].map(({ variable: { name, form, standard, secret, description }, readers }) => {
    const read = readers.map((command) => `\`${command}\``).join(', ');
    return [`\`${name}\``, read, form, standard === 'must be set' ? '' : standard, secret, description];
  });
  const about =
    '`node dist/operator/main.js <command>`. A command that lacks a variable names it in its error; on the local trial all variables are set automatically. `restore` needs ' +
    '`SIGNER_KEK` and `DATA_KEK` only without shares, and `OWNER_DATABASE_URL` unless it only checks the archive.';
  return `## Operator's commands\n\n${about}\n\n${table(['Variable', 'Commands', 'Value', 'Default', 'Secret', 'Meaning'], rows)}`;
}

/**
 * The description comes from `alone`, or otherwise from the first role that reads the variable. Throws for a variable without
 * a description.
 */
function composeSection(compose: Others['compose'], alone: readonly OtherVariable[]): string {
  // Compose does not run a forwarder, so the page must not name it as a reader of a variable.
  const ofRoles = ROLES.filter(({ schema }) => schema !== ForwarderEnv).flatMap(({ title, schema }) =>
    variablesOf(schema).map((variable) => ({ title, ...variable })),
  );
  const rows = compose.map(({ name, standard }) => {
    const own = alone.find((one) => one.name === name);
    const readers = ofRoles.filter((one) => one.name === name);
    const [first] = readers;
    if (!own && !first) throw new Error(`${name} of docker-compose.yml has no description`);
    const roles = readers.map(({ title }) => `[${title}](#${title.toLowerCase()})`).join(', ');
    return [`\`${name}\``, standard === '' ? '' : `\`${standard}\``, roles, own?.description ?? first?.description ?? ''];
  });
  const about =
    'The variables that `docker-compose.yml` takes from `.env`. An empty default leaves the choice to the role; secrets are files in the folder `STRONGROOM_SECRETS`.';
  return `## Docker Compose\n\n${about}\n\n${table(['Variable', 'Default', 'Read by', 'Meaning'], rows)}`;
}

function trialSection(trial: readonly OtherVariable[]): string {
  const rows = trial.map(({ name, standard, description }) => [
    `\`${name}\``,
    standard === '' ? '' : `\`${standard}\``,
    description,
  ]);
  const about =
    '`npm start` sets the variables that the roles need, and also reads the variables below. If you set a variable of a role yourself, your value takes ' +
    'precedence, except where two roles must agree. With `TEMPORAL_ADDRESS` the trial uses a Temporal of your own, and with all four addresses of databases ' +
    'a Postgres of your own. Unless `NODE_ENV` is `production`, the switches of the signer are on. A part that is marked optional is left out if its port is ' +
    '0. In addition, `SMTP_URL` leaves out the mailbox, `VENDOR_URLS` leaves out the vendors, and production leaves out the mailbox, the vendors and the ' +
    'home page. Tests, bench and rehearsal read the paths of programs as well.';
  return `## Local trial\n\n${about}\n\n${table(['Variable', 'Default', 'Meaning'], rows)}`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(heads), `|${heads.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')}\n`;
}
