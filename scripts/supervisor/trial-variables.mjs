import { LOCAL_NETWORKS, OFFLINE } from './local-networks.mjs';
import { portSettings } from './settings.mjs';

/** docs/configuration.md describes these ports in the tables of the roles. */
const OF_ROLES = ['PORT', 'CODEC_PORT', 'HEALTH_PORT', 'SDK_METRICS_PORT'];

const ports = portSettings
  .filter(({ variable }) => !OF_ROLES.includes(variable))
  .map(({ variable, name, standard, optional }) => ({
    name: variable,
    standard: String(standard),
    description: `Port of ${name}${optional ? ' (optional)' : ''}.`,
  }));

const program = (name, description) => ({ name, standard: '', description });

/** The variables that the scripts read, for a table of their own in docs/configuration.md. */
export const TRIAL_VARIABLES = [
  { name: 'STRONGROOM_DATA', standard: '.data', description: 'Folder of all data of the trial.' },
  { name: 'STRONGROOM_CACHE', standard: '.cache', description: 'Folder of fetched and built tools.' },
  {
    name: 'LOCAL_NETWORKS',
    standard: '',
    description: `Further local networks, separated by commas, as \`npm start -- --with\` takes them: ${LOCAL_NETWORKS.map(({ name }) => `\`${name}\``).join(', ')}; and \`${OFFLINE}\` for an offline key store.`,
  },
  {
    name: 'PORT_OFFSET',
    standard: '0',
    description:
      'Number added to every port whose own variable is not set, so that a second copy can run; the commands find the ports in the data folder.',
  },
  ...ports,
  {
    name: 'WORKER_DATABASE_URL',
    standard: '',
    description:
      "Connection of the worker's role to a Postgres of your own, set together with `DATABASE_URL`, `RELAY_DATABASE_URL` and `OWNER_DATABASE_URL`.",
  },
  program('ANVIL_PATH', 'Program anvil, in place of the npm package.'),
  program('BITCOIND_PATH', "Program bitcoind, in place of Debian's package."),
  program('LITECOIND_PATH', "Program litecoind, in place of Debian's package."),
  program('BCHD_PATH', 'Program bchd, in place of the one that is built with Go.'),
  program('LIBSECP256K1_PATH', 'Prefix of an installed libsecp256k1.'),
  program('CC', "C compiler for the signer's arithmetic; unless set, the first of cc, gcc and clang."),
  program('TEMPORAL_CLI_PATH', 'Program temporal, which runs the server of the trial.'),
  program('TEMPORAL_TEST_SERVER_PATH', 'Time-skipping test server of Temporal, for the tests.'),
  program(
    'TEMPORAL_SERVER_PATH',
    'Program temporal-server, for the bench and the rehearsal; set together with `TEMPORAL_SQL_TOOL_PATH`.',
  ),
  program('TEMPORAL_SQL_TOOL_PATH', 'Program temporal-sql-tool of the same release.'),
  program('JAVA_HOME', 'Java that downloads (with Maven) and runs the test server.'),
  program('COMPOSE_SCHEMA_PATH', "Copy of the Compose Specification's schema, for the tests."),
  program('ZSH_PATH', 'Program zsh, for the tests.'),
  program('REHEARSAL_NODE', 'Program node for the processes of the rehearsal; unless set, the program that runs the rehearsal.'),
  {
    name: 'IMAGE_REGISTRY',
    standard: 'https://registry-1.docker.io',
    description: 'Registry, or its mirror, from which `npm run images:pin` fetches digests.',
  },
];
