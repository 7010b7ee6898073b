import { join } from 'node:path';
import { localNetworkEnvs, localUrls } from './local-networks.mjs';
import { operatorPublicHex } from './secrets.mjs';

/** The variables that every program gets. Any other variable goes only to the roles that need the variable. */
const EVERYBODY = /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|SSL_CERT_FILE|XDG_\w+)$/;
const NETWORK = 'EthereumSepolia';
const CHAIN_ID = 11_155_111;
/**
 * The first account of anvil's well-known development mnemonic. Anyone can read this private key here, so the account must only
 * hold play money.
 */
const FAUCET_PRIVATE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** The examples sign for these networks, for which the trial runs no nodes by default. */
const TRIED_WITHOUT_NODES = 'BitcoinSignet,CeloAlfajores,TempoModerato';

export function baseEnv(env) {
  const kept = Object.entries(env).filter(([name]) => EVERYBODY.test(name));
  return { ...Object.fromEntries(kept), NODE_ENV: env.NODE_ENV || 'development', LOG_LEVEL: env.LOG_LEVEL || 'info' };
}

export const chainUrls = (settings) => ({ [NETWORK]: [`http://127.0.0.1:${settings.ports.chain}`], ...localUrls(settings) });

/** If the user names a node for a network, that node replaces the local node. */
function networkUrls(settings, given) {
  if (!given) return JSON.stringify(chainUrls(settings));
  if (settings.localNetworks.length === 0) return given;
  try {
    return JSON.stringify({ ...localUrls(settings), ...JSON.parse(given) });
  } catch {
    return given; // the role that reads this variable reports the fault in it
  }
}

const vendorUrls = (url) => ({ KytA: `${url}/kyt-a`, KytB: `${url}/kyt-b`, TravelRule: `${url}/travel-rule` });

/**
 * The simulated service encrypts amounts for the confidential token of the local chain. If the user sets network settings, only
 * the user's settings apply.
 */
const networkSettings = (url) =>
  JSON.stringify({
    [NETWORK]: {
      confidentialAmounts: { url: `${url}/confidential-amounts`, apiKey: 'local-trial' },
      // Transactions of impersonated accounts, which only a local chain has, carry no signature.
      provesBlocks: false,
    },
  });

/** The examples need these features, which are off by default. In production only the user can switch the features on. */
const trialSwitches = ({ NODE_ENV }) =>
  NODE_ENV === 'production' ? {} : { SIGNER_EXPORT: 'true', SIGNER_HASH: 'true', SIGNER_CHAINLESS_TYPED_DATA: 'true' };

/** The user's settings override the settings of the local trial, except for a setting on which two roles must agree. */
export function roleEnvs({ settings, env, secrets, databases, runtimeFolder, parts, hosts }) {
  const { ports, dataFolder, root } = settings;
  const base = baseEnv(env);
  const { anvil, native } = parts;
  const own = (pattern) => Object.fromEntries(Object.entries(env).filter(([name]) => pattern.test(name)));
  const apiUrl = env.PUBLIC_URL || `http://127.0.0.1:${ports.api}`;
  const chainUrl = `http://127.0.0.1:${ports.chain}`;
  const temporalUiUrl = settings.embedded.temporal ? `http://127.0.0.1:${ports.temporalUi}` : env.TEMPORAL_UI_URL || '';
  const mailboxUrl = settings.embedded.mailbox ? `http://127.0.0.1:${ports.mailbox}` : '';
  const vendorsUrl = settings.embedded.vendors ? `http://127.0.0.1:${ports.vendors}` : '';
  const firstRunFile = join(dataFolder, 'first-run.json');

  const temporal = {
    ...own(/^TEMPORAL_/),
    TEMPORAL_ADDRESS: env.TEMPORAL_ADDRESS || `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: env.TEMPORAL_NAMESPACE || 'default',
  };
  const networks = {
    NETWORK_RPC_URLS: networkUrls(settings, env.NETWORK_RPC_URLS),
    ...(vendorsUrl === '' ? {} : { NETWORK_SETTINGS: networkSettings(vendorsUrl) }),
    ...own(/^NETWORK_SETTINGS$/),
  };
  const signerLink = { SIGNER_SOCKET: join(runtimeFolder, 'signer', 'socket'), SIGNER_AUTH_FILE: secrets.signerAuth };
  const dataKek = { DATA_KEK_FILE: secrets.dataKek };
  const { DATABASE_URL, WORKER_DATABASE_URL, RELAY_DATABASE_URL, OWNER_DATABASE_URL } = databases;
  const roleName = (url) => decodeURIComponent(new URL(url).username);
  const operatorKey = operatorPublicHex(dataFolder);

  return {
    apiUrl,
    temporalUiUrl,
    mailboxUrl,
    vendorsUrl,
    firstRunFile,
    socket: signerLink.SIGNER_SOCKET,
    chain: {
      ...base,
      ...own(/^CHAIN_/),
      CHAIN_PORT: String(ports.chain),
      CHAIN_ID: String(CHAIN_ID),
      CHAIN_STATE_FILE: join(dataFolder, 'chain', 'state.gz'),
      ANVIL_PATH: anvil,
    },
    localNetworks: localNetworkEnvs({ settings, parts, base }),
    fleet: { ...base, SIGNER_STATE_DIR: join(dataFolder, 'signer') },
    mailbox: {
      ...base,
      MAILBOX_FOLDER: join(dataFolder, 'mails'),
      SMTP_PORT: String(ports.smtp),
      MAILBOX_PORT: String(ports.mailbox),
    },
    vendors: { ...base, VENDORS_PORT: String(ports.vendors) },
    signer: {
      ...base,
      ...trialSwitches(base),
      ...(operatorKey === undefined ? {} : { SIGNER_OPERATOR_KEY: operatorKey }),
      ...own(/^SIGNER_/),
      ...signerLink,
      ...(env.SIGNER_KEK_SOURCE ? {} : { SIGNER_KEK_FILE: secrets.signerKek }),
      SIGNER_STATE_DIR: join(dataFolder, 'signer'),
      SIGNER_ARITHMETIC: env.SIGNER_ARITHMETIC || (native ? 'native' : 'portable'),
    },
    replica: base,
    worker: {
      ...base,
      ...own(/^(WORKER_|WEBHOOK_|RELAY_|FOLLOWER_|OTEL_|MAIL_|SMTP_URL|CODEC_|VENDOR_URLS|PRICE_|FILLED_NONCE_|CHECKPOINT_)/),
      ...temporal,
      ...networks,
      ...signerLink,
      ...dataKek,
      DATABASE_URL: WORKER_DATABASE_URL,
      RELAY_DATABASE_URL,
      CODEC_PORT: String(ports.codec),
      ...(temporalUiUrl === '' ? {} : { TEMPORAL_UI_URL: temporalUiUrl }),
      HEALTH_PORT: String(ports.health),
      METRICS_PORT: String(ports.workerMetrics),
      SDK_METRICS_PORT: String(ports.sdkMetrics),
      ...(settings.embedded.mailbox ? { SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` } : {}),
      ...(vendorsUrl === '' ? {} : { VENDOR_URLS: JSON.stringify(vendorUrls(vendorsUrl)) }),
      MAIL_FROM: env.MAIL_FROM || 'Strongroom <strongroom@localhost>',
      PUBLIC_URL: apiUrl,
      WEBHOOK_ALLOW_LOOPBACK: env.WEBHOOK_ALLOW_LOOPBACK || 'true',
      PRICES: env.PRICES || (env.PRICE_SOURCES ? '' : JSON.stringify({ [NETWORK]: { native: '3000' } })),
      WORKFLOW_BUNDLE: join(root, 'dist', 'workflow-bundle.js'),
    },
    api: {
      ...base,
      SIGN_WITHOUT_NODES: env.SIGN_WITHOUT_NODES || TRIED_WITHOUT_NODES,
      ...own(/^(API_|WEBHOOK_|OTEL_|RP_|ORIGINS$|RATE_LIMITS$|TRUSTED_PROXIES$|INTERNAL_IDENTITY_PROVIDERS$)/),
      ...temporal,
      ...networks,
      ...dataKek,
      DATABASE_URL,
      TOKEN_KEY_FILE: secrets.tokenKey,
      PORT: String(ports.api),
      METRICS_PORT: String(ports.apiMetrics),
      HOSTS: env.HOSTS || hosts.join(','),
      PUBLIC_URL: apiUrl,
    },
    migrate: { ...base, OWNER_DATABASE_URL, APP_ROLE: roleName(DATABASE_URL), RELAY_ROLE: roleName(RELAY_DATABASE_URL) },
    firstRun: {
      ...base,
      DATABASE_URL,
      OWNER_DATABASE_URL,
      TOKEN_KEY_FILE: secrets.tokenKey,
      FIRST_RUN_FILE: firstRunFile,
      BASE_URL: apiUrl,
      TEMPORAL_UI_URL: temporalUiUrl,
      DOCS_URL: `${apiUrl}/docs`,
      MAILBOX_URL: mailboxUrl,
      VENDORS_URL: vendorsUrl,
      CHAINS_JSON: JSON.stringify({
        [NETWORK]: { rpcUrl: chainUrl, faucetPrivateKey: FAUCET_PRIVATE_KEY },
        ...Object.fromEntries(Object.entries(localUrls(settings)).map(([network, [rpcUrl]]) => [network, { rpcUrl }])),
      }),
    },
  };
}
