import { join, resolve } from 'node:path';
import { Refusal } from '../prepare/run.mjs';
import { choosesOffline, chosenNetworks, localNetworkPorts } from './local-networks.mjs';

/**
 * Every port of the local trial, with its variable. `PORT_OFFSET` shifts each port whose variable is not set. No process opens
 * an optional port with the number 0.
 */
const PORTS = {
  api: { name: 'the API', variable: 'PORT', standard: 3000, http: true },
  temporal: { name: 'Temporal', variable: 'TEMPORAL_PORT', standard: 7233 },
  temporalUi: { name: 'the Temporal UI', variable: 'TEMPORAL_UI_PORT', standard: 8233, http: true },
  chain: { name: 'the local chain', variable: 'CHAIN_PORT', standard: 8545, http: true },
  postgres: { name: 'Postgres', variable: 'POSTGRES_PORT', standard: 5433 },
  codec: { name: 'the codec endpoint', variable: 'CODEC_PORT', standard: 8234, http: true, optional: true },
  health: { name: "the worker's health", variable: 'HEALTH_PORT', standard: 8235, http: true },
  apiMetrics: { name: "the API's metrics", variable: 'API_METRICS_PORT', standard: 8236, http: true, optional: true },
  workerMetrics: { name: "the worker's metrics", variable: 'WORKER_METRICS_PORT', standard: 8237, http: true, optional: true },
  sdkMetrics: { name: "Temporal's metrics", variable: 'SDK_METRICS_PORT', standard: 8238, http: true, optional: true },
  smtp: { name: 'the mailbox', variable: 'SMTP_PORT', standard: 2525, optional: true },
  mailbox: { name: "the mailbox's page", variable: 'MAILBOX_PORT', standard: 8239, http: true },
  vendors: { name: 'the simulated vendors', variable: 'VENDORS_PORT', standard: 8240, http: true, optional: true },
  home: { name: "the trial's home page", variable: 'HOME_PORT', standard: 8241, http: true, optional: true },
  ...localNetworkPorts,
};
const DATABASE_VARIABLES = ['DATABASE_URL', 'WORKER_DATABASE_URL', 'RELAY_DATABASE_URL', 'OWNER_DATABASE_URL'];

/** Throws a `Refusal` that names the variable with the wrong value. */
export function readSettings(root, env) {
  const given = DATABASE_VARIABLES.filter((name) => env[name]);
  if (given.length > 0 && given.length < DATABASE_VARIABLES.length) {
    const missing = DATABASE_VARIABLES.filter((name) => !env[name]);
    throw new Refusal(
      `${given.join(' and ')} without ${missing.join(' and ')}: set all four for a Postgres of your own, or none.`,
    );
  }
  const embedded = { postgres: given.length === 0, temporal: !env.TEMPORAL_ADDRESS, mailbox: false, vendors: false, home: false };
  const localNetworks = chosenNetworks(env);
  const hasOfflineStore = choosesOffline(env);
  if (hasOfflineStore) assertTrialOperator(env);
  const offset = numberOf(env, 'PORT_OFFSET', 0, 0, 50_000);
  const ports = {};
  for (const [role, { variable, standard, optional }] of Object.entries(PORTS)) {
    ports[role] = numberOf(env, variable, standard + offset, optional ? 0 : 1, 65_535);
  }
  embedded.mailbox = ports.smtp !== 0 && mayHaveMailbox(env);
  embedded.vendors = ports.vendors !== 0 && !env.VENDOR_URLS && env.NODE_ENV !== 'production';
  embedded.home = ports.home !== 0 && env.NODE_ENV !== 'production';
  const listening = Object.keys(PORTS).filter((role) => isOurs(role, embedded, localNetworks) && ports[role] !== 0);
  for (const role of listening) {
    const twin = listening.find((other) => other !== role && ports[other] === ports[role]);
    if (twin)
      throw new Refusal(
        `${PORTS[role].variable} and ${PORTS[twin].variable} are both ${ports[role]}; set one of them to another port.`,
      );
  }
  const dataFolder = resolve(root, env.STRONGROOM_DATA || '.data');
  return { root, embedded, localNetworks, hasOfflineStore, ports, listening, dataFolder };
}

/** The trial plays the operator who adds the store, with a key in the data folder. */
function assertTrialOperator(env) {
  if (env.NODE_ENV === 'production') throw new Refusal('The trial plays an offline key store, but not in production mode.');
  const own = ['SIGNER_OPERATOR_KEY', 'SIGNER_OPERATOR_KEY_FILE'].find((name) => env[name]);
  if (own)
    throw new Refusal(
      `With \`offline\` the trial signs with an operator's key of its own: unset ${own}, or add the store yourself.`,
    );
}

/**
 * The trial has no mailbox if mails go to another server. In production there is no mailbox, because anyone on this machine
 * could read the sign-in codes in it.
 */
const mayHaveMailbox = (env) => !env.SMTP_URL && !env.SMTP_URL_FILE && env.NODE_ENV !== 'production';

/** The part to which a port belongs. No process opens the port if `embedded` shows that the trial does not run this part. */
const ELSEWHERE = {
  postgres: 'postgres',
  temporal: 'temporal',
  temporalUi: 'temporal',
  smtp: 'mailbox',
  mailbox: 'mailbox',
  vendors: 'vendors',
  home: 'home',
};
function isOurs(role, embedded, localNetworks) {
  if (localNetworkPorts[role]) return localNetworks.some(({ name }) => name === role);
  return ELSEWHERE[role] === undefined || embedded[ELSEWHERE[role]];
}

export const portOf = (role) => PORTS[role];

export const portSettings = Object.values(PORTS);

export const portVariables = portSettings.map(({ variable }) => variable);

export const lockFile = (dataFolder) => join(dataFolder, 'lock');

function numberOf(env, name, standard, minimum, maximum) {
  if (!env[name]) return standard;
  const value = Number(env[name]);
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw new Refusal(`${name} must be a whole number from ${minimum} to ${maximum}, not "${env[name]}".`);
}
